import { expect, test } from 'vitest';
import { findNotCsvError } from './not-csv.ts';

const refusalOf = (text: string) => findNotCsvError(new TextEncoder().encode(text), false);

test.each([
  ['a web page', '\uFEFF\r\n<!DOCTYPE html>\n<html lang="en"><head><title>Sign in</title>'],
  ['a web page', '\n<!-- hi --><!DOCTYPE html><p>Sign in'],
  ['a web page', '<table border=1><tr><td>SKU</td></tr></table>'],
  ['an XML file', '<?xml version="1.0"?>\n<rss><channel>'],
  ['a JSON file', '[\n {"sku": "A-1", "name": "Chair"}\n]'],
  ['a JSON file', '{"products":[]}'],
])('%s is refused for what it is: %j', (name, text) => {
  expect(refusalOf(text)).toMatchObject({ isOtherFormat: true });
  expect(refusalOf(text)?.message).toContain(`This is ${name}`);
});

test.each([
  '<b>Chair</b>,10\n<b>Lamp</b>,20\n',
  'name,html\nChair,<html>\n',
  '"{""a"": 1}",10\n"{""a"": 2}",20\n',
  '{name},{price}\nChair,10\n',
  '[sku],[name]\nA-1,Chair\n',
  '<tabletop>,price\nOak,10\n',
])('%j may be a table', (text) => {
  expect(refusalOf(text)).toBeNull();
});
