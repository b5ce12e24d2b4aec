import { StoreRefused } from './store-errors.ts';

/** The longest replies, those of reading many products, have less than 4 MB. */
const bytesMax = 16 * 1024 * 1024;

/** The body of a reply of the store. Throws StoreRefused over 16 MB: a store can answer without an end. */
export async function replyText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += piece.length;
    if (bytes > bytesMax) {
      throw new StoreRefused('Unexpected response from the store.', {
        scope: 'store',
        code: 'REPLY_TOO_LARGE',
        detail: `The reply has more than ${bytesMax} bytes.`,
        hadNoEffect: false,
      });
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
