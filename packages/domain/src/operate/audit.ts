import { formatCount } from '../base/format.ts';

/** A difference that an audit found. `product` is the product's number in the import. */
export type AuditDifference =
  /** A counter of an import differs from its outcomes. */
  | { kind: 'counter'; importId: string; filename: string; counter: string; stored: number; counted: number }
  /** A completed push has products without an outcome, or more outcomes than products. */
  | { kind: 'undecided'; importId: string; filename: string; products: number; outcomes: number }
  /** An import at rest still counts chunks as open. */
  | { kind: 'open-chunks'; importId: string; filename: string; chunks: number }
  /** The ledger has no line for a product's outcome. */
  | { kind: 'ledger-missing'; importId: string; filename: string; product: number; outcome: string }
  /** The ledger has the same line more than once. */
  | { kind: 'ledger-twice'; importId: string; filename: string; product: number; outcome: string }
  /** Several of our products are linked to one product of the store. */
  | { kind: 'listing-twice'; shop: string; storeProductId: string; listings: number };

/** Returns a difference as a sentence. */
export function differenceSentence(found: AuditDifference): string {
  switch (found.kind) {
    case 'counter':
      return `“${found.counter}” is ${formatCount(found.stored)}, but ${formatCount(found.counted)} products have this result.`;
    case 'undecided':
      return `The push is completed with ${formatCount(found.outcomes)} results for ${formatCount(found.products)} products.`;
    case 'open-chunks':
      return `The import has ended, but counts ${formatCount(found.chunks)} of its parts as open.`;
    case 'ledger-missing':
      return `Product ${formatCount(found.product)} counts as ${found.outcome}, but the ledger has no entry for it.`;
    case 'ledger-twice':
      return `In one push, the ledger has two entries that product ${formatCount(found.product)} was ${found.outcome}.`;
    case 'listing-twice':
      return `${formatCount(found.listings)} products of Draftshelf are linked to ${found.storeProductId} of ${found.shop}.`;
  }
}

const whatToDo: Record<AuditDifference['kind'], string> = {
  counter:
    'The numbers on screen are wrong; the products and the ledger aren’t. Use the report of the import.',
  undecided: 'Push the import again: products without a result are sent, the others stay as they are.',
  'open-chunks': 'Nothing is lost. Keep the logs of the workers, and report it as a fault.',
  'ledger-missing':
    'Compare the product in the store with the import before you push again. Lines are missing if somebody deleted ' +
    'them, or if only a part of a backup was restored.',
  'ledger-twice': 'Look in the store for a second product with the same SKU before you push again.',
  'listing-twice':
    'A push of one of these products may overwrite or repeat another. Choose Keep Newest Link: the product ' +
    'stays linked to the one that was pushed last, and the others count as not pushed.',
};

/** Returns what the operator can do about a difference, in one or two sentences. */
export const remedyOf = ({ kind }: AuditDifference): string => whatToDo[kind];
