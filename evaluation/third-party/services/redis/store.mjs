import { once } from 'node:events';
import { connect } from 'node:net';

/** Reads one reply of the Redis protocol; undefined where its end has not arrived. */
function parse(bytes, at) {
  const end = bytes.indexOf('\r\n', at);
  if (end < 0) return undefined;
  const [kind, text, next] = [bytes[at], bytes.toString('utf8', at + 1, end), end + 2];
  if (kind === 58) return [Number(text), next];
  if (kind === 43) return [text, next];
  if (kind === 45) return [new Error(text), next];
  if (Number(text) < 0) return [null, next];
  if (kind === 36) {
    const stop = next + Number(text);
    return bytes.length < stop + 2 ? undefined : [bytes.toString('utf8', next, stop), stop + 2];
  }
  const items = [];
  let from = next;
  for (let left = Number(text); left > 0; left -= 1) {
    const item = parse(bytes, from);
    if (item === undefined) return undefined;
    items.push(item[0]);
    from = item[1];
  }
  return [items, from];
}

/** A connection to Redis: a function that sends one command. */
export async function connectTo(path) {
  const socket = connect(path);
  await once(socket, 'connect');
  const waiting = [];
  let bytes = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (let reply = parse(bytes, 0); reply !== undefined; reply = parse(bytes, 0)) {
      bytes = bytes.subarray(reply[1]);
      const { resolve, reject } = waiting.shift();
      if (reply[0] instanceof Error) reject(reply[0]);
      else resolve(reply[0]);
    }
  });
  return (...words) =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      const parts = words.map((word) => `$${Buffer.byteLength(String(word))}\r\n${word}\r\n`);
      socket.write(`*${words.length}\r\n${parts.join('')}`);
    });
}
