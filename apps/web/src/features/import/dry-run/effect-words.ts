import type { PlannedProduct } from '@draftshelf/contract/push/plan';
import { partsWords } from '../plan/plan-words.ts';

/** What a push would do with a product, by its plan: 'The push would update this product and change its price. …' */
export function plannedEffect({
  outcome,
  message,
  parts,
}: Pick<PlannedProduct, 'outcome' | 'message' | 'parts'>): string {
  const written = 'Nothing was written to the store.';
  if (outcome === 'created') return `The push would create this product. ${written}`;
  if (outcome === 'unchanged') return `The push would leave this product as it is in the store. ${written}`;
  if (outcome !== 'updated') return `The push would skip this product. ${message ?? ''}`.trim();
  const changes = parts.length === 0 ? '' : ` and change its ${partsWords(parts)}`;
  return `The push would update this product${changes}. ${written}`;
}
