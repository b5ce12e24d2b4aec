import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { getManyValues, isMany, none } from 'stream-chain/defs.js';
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { invalid, Refusal } from '../http/refusal.ts';
import { orMalformed } from './receive-csv.ts';

/** A longer key cannot be the one that is looked for. */
const keyCharsMax = 64;
/** A JSON text is at most this many times as long as the text in it: an escaped byte takes six. */
const escapedBytesMax = 6;

/**
 * Yields the text of the property `csvContent` of a JSON body as it arrives, in UTF-8. The body is never in memory as a
 * whole. Throws a Refusal if the body is not such a JSON, or longer than a text of `textBytesMax` can make it.
 */
export async function* csvContent(body: Readable, textBytesMax: number): AsyncGenerator<Buffer> {
  const tokenize = jsonParser({ packValues: false });
  const decoder = new StringDecoder('utf8');
  const finder = contentFinder();
  let bytes = 0;
  const tokensOf = (text: string | typeof none): readonly Token[] => {
    try {
      const found: unknown = tokenize(text as string);
      return isMany(found) ? (getManyValues(found) as Token[]) : [];
    } catch {
      throw new Refusal(400, { code: 'malformed', message: 'The body isn’t valid JSON.' });
    }
  };
  // Do not destroy the stream on exit: the rest is drained, so that the client sees the reply.
  for await (const piece of orMalformed<Buffer>(body.iterator({ destroyOnReturn: false }))) {
    bytes += piece.length;
    if (bytes > escapedBytesMax * textBytesMax) {
      throw new Refusal(413, { code: 'too_large', message: 'The request is too large.' });
    }
    const text = tokensOf(decoder.write(piece)).map(finder.next).join('');
    if (text !== '') yield Buffer.from(text);
  }
  if (bytes > 0) tokensOf(none);
  if (!finder.found()) throw invalid('Send the content of the file as the text csvContent.', 'csvContent');
}

/** Finds the text among the tokens of a body: a string at the top level, under the key `csvContent`. */
function contentFinder() {
  let depth = 0;
  let key = '';
  let within: 'key' | 'content' | null = null;
  let found = false;
  return {
    found: () => found,
    /** Takes the next token. Returns the part of the text that it is, or ''. */
    next(token: Token): string {
      switch (token.name) {
        case 'startObject':
        case 'startArray':
          depth += 1;
          return '';
        case 'endObject':
        case 'endArray':
          depth -= 1;
          return '';
        case 'startKey':
          key = '';
          within = depth === 1 ? 'key' : null;
          return '';
        case 'startString':
          within = depth === 1 && key === 'csvContent' && !found ? 'content' : null;
          found ||= within === 'content';
          return '';
        case 'endKey':
        case 'endString':
          within = null;
          return '';
        case 'stringChunk':
          if (within === 'content') return token.value;
          if (within === 'key' && key.length <= keyCharsMax) key += token.value;
          return '';
        default:
          return '';
      }
    },
  };
}
