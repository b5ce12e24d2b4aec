import { StringDecoder } from 'node:string_decoder';
import { getManyValues, isMany, none } from 'stream-chain/defs.js';
import { jsonParser, type ParserOptions, type Token } from 'stream-json/core/parser.js';
import { Refusal } from './refusal.ts';

export const malformed = () => new Refusal(400, { code: 'malformed', message: 'The body isn’t valid JSON.' });
export const tooLargeRefusal = () =>
  new Refusal(413, { code: 'too_large', message: 'The request is too large.' });

/** Returns a function that turns pieces of a JSON body into tokens. A null piece ends the body. Throws a Refusal. */
export function createJsonTokenizer(options: ParserOptions): (piece: Buffer | null) => readonly Token[] {
  const tokenize = jsonParser(options);
  const decoder = new StringDecoder('utf8');
  return (piece) => {
    try {
      const found: unknown = tokenize(piece === null ? (none as unknown as string) : decoder.write(piece));
      return isMany(found) ? (getManyValues(found) as Token[]) : [];
    } catch {
      throw malformed();
    }
  };
}
