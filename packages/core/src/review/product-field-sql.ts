import { productFields } from '@draftshelf/domain/base/canonical-fields';
import { type SqlBool, sql } from 'kysely';

/** Returns an SQL condition: the column `column` names a field that a product has once, for example a metafield. */
export const namesProductField = (column: string) =>
  sql<SqlBool>`(${sql.ref(column)} = any(${[...productFields]}::text[]) or ${sql.ref(column)} like 'm:%')`;
