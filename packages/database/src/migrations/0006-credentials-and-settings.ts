import { type Kysely, sql } from 'kysely';

/**
 * Sealed credentials, the shop and the automatic retries of each run, the addresses of shops, and versions of the
 * settings. A replaced credential stays for the push runs that began with it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table credentials (
      version bigint generated always as identity primary key,
      service text not null,
      key_id text not null,
      sealed bytea not null,
      shop text,
      origin text not null check (origin in ('operator','start')),
      saved_at timestamptz not null default now(),
      replaced_at timestamptz
    );
    create unique index credentials_current on credentials (service) where replaced_at is null;

    create table shops (
      shop text primary key,
      url text not null
    );

    alter table runs add column shop text;
    alter table runs add column auto_retries integer not null default 0;

    alter table settings add column version integer not null default 1;
    insert into settings (value) values ('{}') on conflict do nothing`.execute(db);
}
