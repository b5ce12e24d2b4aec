import { hashBytes } from '@draftshelf/domain/suppliers/item-hashes';
import { type FieldGroup, fieldGroups } from '@draftshelf/domain/suppliers/list';
import { type RawBuilder, sql } from 'kysely';

/** SQL: where the hash of a group begins among the hashes of a row, from 1. */
export const hashStart = (group: FieldGroup) => sql.lit(fieldGroups.indexOf(group) * hashBytes + 1);

/** SQL value: the hash of a group among those of a row. */
export const groupHash = (hashes: RawBuilder<unknown>, group: FieldGroup) =>
  sql`substr(${hashes}, ${hashStart(group)}, ${sql.lit(hashBytes)})`;

/** SQL value: the same; null if the row has nothing of the group. */
export const saidHash = (hashes: RawBuilder<unknown>, group: FieldGroup) =>
  sql`nullif(${groupHash(hashes, group)}, '\\x00000000')`;
