import { expect, it } from 'vitest';
import { cleanText } from './clean-text.ts';
import { decodeTwiceEncoded, hasTwiceEncodedTexts, looksTwiceEncoded } from './twice-encoded.ts';

const clean = (text: string) => cleanText(text, 'title', false);

it.each([
  ['AB-\u200b2', 'AB-2'],
  ['\ufeffAB-3\u00a0', 'AB-3'],
  ['Lamp\u001f\u0007 red', 'Lamp red'],
  ['one\u000btwo', 'one\ntwo'],
  ['\u202dAB-4\u202c', 'AB-4'],
  ['soft\u00adhyphen', 'softhyphen'],
  ['\u061c250', '250'],
  ['Mug_x000D_', 'Mug'],
  ['<![CDATA[Stool & <b>bench</b>]]>', 'Stool & <b>bench</b>'],
  ['tea\u200cpot', 'teapot'],
  ['Line\n\tbreak', 'Line\n\tbreak'],
  // Between letters that are joined or not, and in emoji.
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['क्\u200dष', 'क्\u200dष'],
  ['👩\u200d🍳 apron', '👩\u200d🍳 apron'],
  ['\u200fשלום', 'שלום'],
])('%j is read as %j', (text, cleaned) => {
  expect(clean(text)).toBe(cleaned);
});

it.each([
  ['&lt;p&gt;Warm &amp;amp; bright.&lt;/p&gt;', '<p>Warm & bright.</p>'],
  // HTML, and texts that name a tag, stay.
  ['<p>Write &lt;p&gt; for a paragraph.</p>', '<p>Write &lt;p&gt; for a paragraph.</p>'],
  ['Of size &lt;b&gt;', 'Of size &lt;b&gt;'],
])('the description %j is %j', (text, html) => {
  expect(cleanText(text, 'description', false)).toBe(html);
});

it.each([
  ['Salt &amp; Pepper', 'Salt & Pepper'],
  ['Dad&#39;s mug', "Dad's mug"],
  ['M&uuml;ller &#x26; S&ouml;hne&nbsp;', 'Müller & Söhne'],
  ['5 &euro; &ndash; &frac12;', '5 € – ½'],
  // Once, and no other text.
  ['A &amp;amp; B', 'A & B'],
  ['M&S, R&D; AT&T', 'M&S, R&D; AT&T'],
  ['&#xD800; &#0;', '&#xD800; &#0;'],
])('the entities of %j are decoded to %j', (text, decoded) => {
  expect(clean(text)).toBe(decoded);
  for (const field of ['sku', 'description', 'image'] as const) {
    expect(cleanText(text, field, false)).toBe(text.trim());
  }
});

it('a description keeps its soft hyphens, and loses the frame of a feed', () => {
  expect(cleanText('<![CDATA[<p>hand\u00admade</p>]]>', 'description', false)).toBe('<p>hand\u00admade</p>');
});

it('decodes text that was encoded twice', () => {
  const twice = (text: string) => new TextDecoder('windows-1252').decode(new TextEncoder().encode(text));
  for (const text of ['Café crème', 'Bürste', 'Dad’s „Tasse“ €', 'Książka', 'Книга', 'Ωμέγα', 'naïve — 🍳']) {
    expect(decodeTwiceEncoded(twice(text))).toBe(text);
    expect(looksTwiceEncoded(twice(text))).toBe(true);
    expect(cleanText(twice(text), 'title', true)).toBe(text);
    for (const other of [text, text.toUpperCase()]) expect(looksTwiceEncoded(other)).toBe(false);
  }
});

it('a column was encoded twice if all of its cells say so', () => {
  expect(hasTwiceEncodedTexts(['CafÃ©', 'Tasse', 'BÃ¼rste'])).toBe(true);
  expect(hasTwiceEncodedTexts(['CafÃ©', 'Bürste'])).toBe(false);
  expect(hasTwiceEncodedTexts(['Tasse', ''])).toBe(false);
  expect(hasTwiceEncodedTexts(['SÃO', 'NÃO'])).toBe(false);
});

it('marks of direction go at the ends of a text that runs from right to left, and stay inside', () => {
  expect(cleanText('\u200fكوب شاي\u200e', 'title', false)).toBe('كوب شاي');
  expect(cleanText('كوب \u200e250 ml\u200e شاي', 'title', false)).toBe('كوب \u200e250 ml\u200e شاي');
});
