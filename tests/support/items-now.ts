import type { Db } from '@draftshelf/core/connection/database';
import { selectItems } from '@draftshelf/core/suppliers/items-at';

/** SQL: the items of all suppliers with what lists that count say of them, as the table `items`. */
export const itemsNow = ({ db }: { db: Db }): string =>
  `(${selectItems({ supplier: null }).compile(db).sql}) items`;
