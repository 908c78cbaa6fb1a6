import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMalformed } from './malformed.ts';

// As k6 2.2 reports them, each for a response of a server of this machine.
for (const error of [
  'too many transfer encodings: ["chunked" "chunked"]',
  'unsupported transfer encoding: "chunked, chunked"',
  'http: message cannot contain multiple Content-Length headers; got ["21" "5"]',
  'bad Content-Length "21, 21"',
  'invalid empty Content-Length ""',
  'invalid byte in chunk length',
  'empty hex number for chunk length',
  'chunked line ends with bare LF',
  'malformed chunked encoding',
  'malformed MIME header line: "X-Foo : a"',
  'malformed MIME header: missing colon: "X-Foo"',
  'malformed HTTP status code "2000"',
  'malformed HTTP version "ICY"',
  'malformed HTTP response ""',
  'error decompressing response body (error decompressing response body (gzip: invalid header))',
  'GoError: unsupported response status: 101 Switching Protocols',
]) {
  test(`came and cannot be read: ${error}`, () => assert.equal(isMalformed(error), true));
}

for (const error of [
  'EOF',
  'unexpected EOF',
  'request timeout',
  'read: connection reset by peer',
  'dial: connection refused',
  'lookup: no such host',
  'tls: failed to verify certificate: x509: certificate signed by unknown authority',
]) {
  test(`no response: ${error}`, () => assert.equal(isMalformed(error), false));
}
