import { productFields } from '@draftshelf/domain/base/canonical-fields';
import { type SqlBool, sql } from 'kysely';

/** SQL: whether a column names a field that a product has once; metafields are those of products. */
export const isOfProduct = (column: string) =>
  sql<SqlBool>`(${sql.ref(column)} = any(${[...productFields]}::text[]) or ${sql.ref(column)} like 'm:%')`;
