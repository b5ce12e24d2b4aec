import type { ScannedInput } from '@draftshelf/contract/scanner/scanner';
import { call, type Reply } from '../../api/call.ts';
import type { ReadCode } from './scan/reader-options.ts';

export type CodeReply = Reply<'lookUpCode'>;

/** Without `ask` the reply comes at once; with it sources are asked for up to 8 seconds. */
export function lookUp(
  { text, format }: ReadCode,
  options: { ask: boolean; signal?: AbortSignal },
): Promise<CodeReply> {
  const { ask, signal } = options;
  const body = { code: text, ask, ...(format === null ? {} : { format }) };
  return call('lookUpCode', { body, ...(signal ? { signal } : {}) });
}

/** The client makes the id, so that the call can be repeated. */
export async function saveScanned(id: string, input: ScannedInput): Promise<void> {
  await call('createScanned', { body: { ...input, id } });
}
