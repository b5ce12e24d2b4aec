import { type Kysely, sql } from 'kysely';

/**
 * The service that an import asks, a version that tells a service from the former ones, and answers about products that
 * have changed. An import that is asking stops: its queued products were read by older rules about what may be sent,
 * and the service that its operator asked was not stored. `ai_service.enabled` is no longer read. It stays, because
 * processes of the previous version read it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ai_service add column version integer not null default 0;
    alter table ai_imports add column target text not null default '';
    alter table ai_asks add column outdated boolean not null default false;

    delete from ai_asks where state = 'wanted';
    update ai_imports set state = 'stopped', reason = 'Asking stopped at an update of Draftshelf. Ask again to go on.'
    where state = 'asking';
  `.execute(db);
}
