import { answersAbout, contradictoryAnswers, hostileAnswers, inventedAnswers } from './answers.ts';
import type { Sentinel } from './behavior.ts';
import type { ChatRequest, Product } from './request.ts';
import { dataOf } from './request.ts';

/** An answer before it is sent. `usage`: whether, and how, its tokens are named. */
export type Completion = {
  text: string | null;
  refusal: string | null;
  finish: 'stop' | 'length';
  usage: 'true' | 'absent' | 'above';
};

const complete = (text: string): Completion => ({ text, refusal: null, finish: 'stop', usage: 'true' });

/** The model's answer to a request; a sentinel changes it. `isText`: no structure was asked for. */
export function completionOf(request: ChatRequest, sentinel: Sentinel | null, isText: boolean): Completion {
  const data = dataOf(request);
  if (data === null) return complete('{"ok":true}');
  const { products } = data;
  const usual = JSON.stringify({ products: answersAbout(products, data) });
  switch (sentinel) {
    case 'malformed':
      return complete('{"products": [{"id": 7, "values": "Great'.concat(' product'.repeat(20)));
    case 'cut':
      return cut(usual);
    case 'crowded':
      return products.length > 1 ? cut(usual) : complete(usual);
    case 'hostile':
      return complete(JSON.stringify({ products: hostileAnswers(products) }));
    case 'invented':
      return complete(JSON.stringify({ products: inventedAnswers(products) }));
    case 'contradictory':
      return complete(JSON.stringify({ products: contradictoryAnswers(products, data) }));
    case 'refusal':
      return { text: null, refusal: 'I can’t help with that.', finish: 'stop', usage: 'true' };
    case 'no-usage':
      return { ...complete(usual), usage: 'absent' };
    case 'over-usage':
      return { ...complete(usual), usage: 'above' };
    case 'huge':
      return complete(`${usual}${' '.repeat(2 * 1024 * 1024)}`);
    case 'fenced':
      return complete(wordy(usual, products));
    default:
      return complete(isText ? wordy(usual, products) : usual);
  }
}

const cut = (text: string): Completion => ({
  ...complete(text.slice(0, Math.floor(text.length / 2))),
  finish: 'length',
});

/** JSON from models without a schema: with thoughts before it, in a fence, with words around it. */
const wordy = (json: string, products: readonly Product[]) =>
  `<think>There are ${products.length} products {and braces}.</think>\nHere is the JSON:\n\`\`\`json\n${json}\n\`\`\`\nLet me know!`;
