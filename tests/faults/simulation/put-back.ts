import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

type PutBack = { file: string; now: string; before: string };

/**
 * Faults that the product once had, each with the commit that mended it, the code that it has since, and what stands
 * for what it had before, to see how many seeds find it.
 */
const mended = {
  /** f64313d7: two imports that send a product with the same key at once make it twice. */
  'keys-unclaimed': [
    {
      file: 'packages/core/src/push/sending.ts',
      now: "if (row.claimed === claims.keys.length) return { is: 'begun', at };",
      before: "return { is: 'begun', at };",
    },
  ],
  /** deb1858a: an undo takes what a merchant changed between two of its attempts for its own. */
  'undo-forgets-its-first-attempt': [
    {
      file: 'packages/publishing/src/undo/undo-product.ts',
      now: "const from = begun?.action === 'restore' ? begun.from : live;",
      before: 'const from = live;',
    },
  ],
  /** 9365f229: an undo that has restored a product, and lost the answer, says that it was kept. */
  'restore-recorded-as-kept': [
    {
      file: 'packages/publishing/src/undo/undo-product.ts',
      now: 'if (decision.kept.length > 0 && hasArrived(context, work)) {',
      before: 'if (decision.kept.length < 0) {',
    },
  ],
  /** e5402c99: a worker whose claim is lost ends the sending of the claim after it. */
  'sending-unfenced': [
    {
      file: 'packages/core/src/push/sending.ts',
      now: `?? null}::bigint and \${isHeld} returning our_id\`;`,
      before: '?? null}::bigint returning our_id`;',
    },
  ],
  /** b7d19c22: records of a chunk's earlier claim count if the same process has a later one. */
  'claims-mixed-up': [
    {
      file: 'packages/publishing/src/publish-record.ts',
      now: 'held.has(waiting.push.chunk))',
      before: '[...held].some(({ id }) => id === waiting.push.chunk.id))',
    },
  ],
  /** 26f71a11: a worker that was frozen while it began to send a product calls the store when it wakes up. */
  'calls-after-its-claim': [
    {
      file: 'packages/publishing/src/call-store.ts',
      now: 'const unseenMsMax = 5_000;',
      before: 'const unseenMsMax = Number.MAX_SAFE_INTEGER;',
    },
  ],
  /** 619ee7bf: a sent category is not recognized by its id, so a push whose answer was lost cannot be undone. */
  'category-unrecognized': [
    {
      file: 'packages/shopify/src/product/fields.ts',
      now: '|| identity(live[key]).trim() === identity(sent[key]).trim();',
      before: '|| textOf(live[key]).trim() === textOf(sent[key]).trim();',
    },
  ],
  /** 1bb0c708: an undo takes metafields for its own that a merchant set on a product which was never read back. */
  'metafields-uncompared': [
    {
      file: 'packages/shopify/src/product/as-sent.ts',
      now: 'hasWritten(live, { sent, sentBefore, before }) &&',
      before: '',
    },
  ],
  /** An undo deletes a product that a merchant has made active, if it was never read back. */
  'status-uncompared': [
    {
      file: 'packages/shopify/src/product/as-sent.ts',
      now: 'if (live.status !== intended.status && live.status !== before?.status) return false;',
      before: '',
    },
  ],
} as const satisfies Record<string, readonly PutBack[]>;

export const mendedFaults = Object.keys(mended);

const root = new URL('../../../', import.meta.url);

const isThere = ({ file, now }: PutBack): boolean =>
  readFileSync(fileURLToPath(new URL(file, root)), 'utf8').split(now).length === 2;

/** The mended faults whose code has changed since, so that they cannot be put back. */
export const outdatedFaults = (): string[] =>
  Object.entries(mended).flatMap(([name, changes]: [string, readonly PutBack[]]) =>
    changes.every(isThere) ? [] : name,
  );

/** Puts a mended fault back into the modules that this process loads from now on. */
export function putBack(name: string): void {
  const changes: readonly PutBack[] | undefined = Object.entries(mended).find(([key]) => key === name)?.[1];
  if (!changes) throw new Error(`Mended faults: ${mendedFaults.join(', ')}`);
  if (!changes.every(isThere)) throw new Error(`The code of ${name} has changed: adapt put-back.ts`);
  registerHooks({
    load(url, context, next) {
      const own = changes.filter(({ file }) => url === new URL(file, root).href);
      const loaded = next(url, context);
      if (own.length === 0) return loaded;
      const source = own.reduce((text, { now, before }) => text.replace(now, before), String(loaded.source));
      return { ...loaded, source };
    },
  });
}
