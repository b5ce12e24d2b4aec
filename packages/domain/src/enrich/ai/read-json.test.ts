import { expect, it } from 'vitest';
import { readJson } from './read-json.ts';

const object = { products: [{ id: 'a', text: 'a "quoted" } brace' }] };
const json = JSON.stringify(object);

it.each([
  ['alone', json],
  ['in a fence', `\`\`\`json\n${json}\n\`\`\``],
  ['after thoughts with braces', `<think>{"products": []} {maybe}</think> ${json}`],
  ['with words around it', `Here it is: ${json} Let me know {if} you need more.`],
  ['with an unclosed brace after it', `${json} { and so on`],
])('reads JSON %s', (_name, text) => {
  expect(readJson(text)).toEqual(object);
});

it.each(['', 'no braces', '{"a": ', '{not json}', '<think>{"a":1}</think>'])('finds none in %j', (text) => {
  expect(readJson(text)).toBeUndefined();
});
