import { productFields } from '@draftshelf/domain/base/canonical-fields';
import { type SqlBool, sql } from 'kysely';

/** Returns an SQL condition: a column names a field that a product has once, which includes metafields. */
export const isOfProduct = (column: string) =>
  sql<SqlBool>`(${sql.ref(column)} = any(${[...productFields]}::text[]) or ${sql.ref(column)} like 'm:%')`;
