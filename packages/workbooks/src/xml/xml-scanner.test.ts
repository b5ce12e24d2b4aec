import { expect, test } from 'vitest';
import { eventsOf, eventsOfSaxes } from '../testing/xml-events.ts';
import { toUtf8 } from './read-part.ts';

const textBytes = (text: string) => new TextEncoder().encode(text);
const attributes = ['r', 's', 't', 'k', 'j'];

const documents = [
  '<a/>',
  '<?xml version="1.0"?><!-- <b> --><x:row r="1" s=\'a"b\' ><c t="s">1 &lt; 2 &#x1F6CB;&#65; &amp;amp;</c></x:row>',
  '<a><![CDATA[<b>&amp; ]]]]><![CDATA[>]]>tail</a>',
  '<a k="&quot;&#10;é>"\n j = "2"/>',
  '<a>\n<!-- - > --><?target a > b?><b>Größe</b  ></a>\n',
];

test.each(documents)('%s is read as saxes does, at every piece size', (text) => {
  const expected = eventsOfSaxes(text, attributes);
  for (const size of [1, 2, 3, 7, 1000])
    expect(eventsOf(textBytes(text), size, attributes)).toEqual(expected);
});

test.each([
  ['<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', 'has a document type'],
  ['<a>&xxe;</a>', 'has an unknown entity'],
  ['<a>&#1114112;</a>', 'has an unknown entity'],
  ['<a>& b, and all the others</a>', 'has an unknown entity'],
  ['<a><b></a></b>', 'not well-formed'],
  ['<a', 'is cut off'],
  ['<a>', 'is cut off'],
  ['', 'is cut off'],
  ['<a/><b/>', 'not well-formed'],
  ['<a b></a>', 'not well-formed'],
  ['<a b=c></a>', 'not well-formed'],
  ['<a><></></a>', 'not well-formed'],
  ['<a>'.repeat(70), 'nested too deep'],
  [`<a ${Array.from({ length: 70 }, (_one, at) => `a${at}=""`).join(' ')}/>`, 'too many attributes'],
  [`<a b="${'x'.repeat(1_200_000)}`, 'a tag that is too long'],
  [
    `<a>${Array.from({ length: 5000 }, (_one, at) => `<b${at}/>`).join('')}</a>`,
    'too many kinds of elements',
  ],
])('%.40s is refused', (text, sentence) => {
  expect(() => eventsOf(textBytes(text), 4096, [])).toThrow(sentence);
});

const utf16 = (text: string, isLittle: boolean) =>
  Uint8Array.from({ length: text.length * 2 }, (_byte, at) => {
    const unit = text.charCodeAt(at >> 1);
    return (at % 2 === 0) === isLittle ? unit & 0xff : unit >> 8;
  });

test.each([
  ['UTF-8 with a mark', textBytes('\ufeff<a>Größe</a>')],
  ['UTF-16 with a mark', utf16('\ufeff<a>Größe</a>', true)],
  ['UTF-16 in the other order', utf16('\ufeff<a>Größe</a>', false)],
  ['UTF-16 without a mark', utf16('<a>Größe</a>', true)],
  [
    'windows-1252',
    Uint8Array.from('<?xml version="1.0" encoding="windows-1252"?><a>Größe</a>', (c) => c.charCodeAt(0)),
  ],
  ['UTF-8 that says UTF-16', textBytes('<?xml version="1.0" encoding="utf-16"?><a>Größe</a>')],
])('a part in %s is read', async (_what, bytes) => {
  for (const size of [1, 3, 500]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_piece, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    );
    const chunks = await Array.fromAsync(
      toUtf8(
        (async function* () {
          yield* pieces;
        })(),
      ),
    );
    expect(eventsOf(Uint8Array.from(chunks.flatMap((chunk) => [...chunk])), 100, [])).toEqual([
      ['open', 'a', {}],
      ['text', 'Größe'],
      ['close', 'a'],
    ]);
  }
});
