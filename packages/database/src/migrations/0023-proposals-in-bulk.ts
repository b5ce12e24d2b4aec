import { type Kysely, sql } from 'kysely';

/**
 * Proposals in bulk: groups, evidence, the command that dismissed them, and rows without a GTIN. Of one kind of source
 * that may change its mind, rules and AI, a field of a row has one open proposal. Values are unique by their hash: an
 * index entry has at most 2,704 bytes, and a description may have 20,000 characters.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table proposals
      alter column gtin drop not null,
      add column evidence text,
      add column group_key text,
      add column dismissed_by uuid,
      drop constraint proposals_import_id_byte_from_field_source_value_key;
    create unique index proposals_once on proposals (import_id, byte_from, field, source, md5(value));
    create unique index proposals_replaced on proposals (import_id, byte_from, field, source)
      where state = 'open' and source in ('rule', 'ai');
    create index proposals_listed on proposals (import_id, id) where state = 'open';
    create index proposals_counted on proposals (import_id, field, source, id) where state = 'open';
    create index proposals_grouped on proposals (import_id, group_key, id) where state = 'open' and group_key is not null;
  `.execute(db);
}
