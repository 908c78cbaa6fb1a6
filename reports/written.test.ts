import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdown, markup } from './written.ts';

test('a string is escaped, what is already written is not, and lists are joined', () => {
  const bold = markup`<b>${'<i>'}</b>`;
  assert.equal(
    markup`<p title="${`"'`}">${[bold, ' & ', 7]}</p>`.toString(),
    '<p title="&quot;&#39;"><b>&lt;i&gt;</b> &amp; 7</p>',
  );
});

test('characters that XML cannot hold are written out', () => {
  assert.equal(markup`${'\u0000\u001b\ud800\uffff'}`.toString(), '⟨U+0000⟩⟨U+001B⟩⟨U+D800⟩⟨U+FFFF⟩');
});

test('Markdown constructs become character references, and plain prose stays readable', () => {
  assert.equal(
    markdown`- ${'A body (name, 201) costs 3 - 1.5; see HTTP/1.1: fine!'}`.toString(),
    '- A body (name, 201) costs 3 - 1.5; see HTTP/1.1: fine!',
  );
  assert.equal(markdown`${'a|b\n<c>'}`.toString(), 'a&#124;b⟨U+000A⟩&#60;c&#62;');
  assert.equal(markdown`${'@you #1'}`.toString(), '@<!-- -->you #<!-- -->1');
  assert.equal(markdown`${'# not a heading'}`.toString(), '&#35; not a heading');
  assert.equal(markdown`${'1. 2.5'} ${'2.5'}`.toString(), '&#49;. 2.5 2.5');
  assert.equal(markdown`**${markdown`<code>${'`'}</code>`}**`.toString(), '**<code>&#96;</code>**');
});
