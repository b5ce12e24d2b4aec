import { hashBytes } from '@draftshelf/domain/suppliers/item-hashes';
import { type FieldGroup, fieldGroups } from '@draftshelf/domain/suppliers/list';
import { type RawBuilder, sql } from 'kysely';

/** SQL: where a group's hash begins among those of a row, from 1. */
export const hashStart = (group: FieldGroup) => sql.lit(fieldGroups.indexOf(group) * hashBytes + 1);

export const groupHash = (hashes: RawBuilder<unknown>, group: FieldGroup) =>
  sql`substr(${hashes}, ${hashStart(group)}, ${sql.lit(hashBytes)})`;

/** SQL value: a group's hash, or null if the row has no value of the group. */
export const saidHash = (hashes: RawBuilder<unknown>, group: FieldGroup) =>
  sql`nullif(${groupHash(hashes, group)}, '\\x00000000')`;
