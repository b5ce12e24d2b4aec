import type { ScannedInput } from '@draftshelf/contract/scanner/scanner';
import { call, type Reply } from '../../api/call.ts';
import type { ReadCode } from './scan/reader-options.ts';

export type CodeReply = Reply<'lookUpCode'>;

/**
 * What is known about a code. Without `ask` the reply comes at once, from the library, the store and imports; with it
 * sources are asked, which takes up to 8 seconds.
 */
export function lookUp(
  { text, format }: ReadCode,
  options: { ask: boolean; signal?: AbortSignal },
): Promise<CodeReply> {
  const { ask, signal } = options;
  const body = { code: text, ask, ...(format === null ? {} : { format }) };
  return call('lookUpCode', { body, ...(signal ? { signal } : {}) });
}

/** Saves a new product under an id that the client made, so that it can be sent again. */
export async function saveScanned(id: string, input: ScannedInput): Promise<void> {
  await call('createScanned', { body: { ...input, id } });
}
