import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { findValue, queryRows, queryValue, queryValues } from '../../connection/query-rows.ts';
import type { ProposalRecord } from '../../connection/schema.ts';
import type { RunOfRows } from '../../work/runs.ts';

export const proposalsCountedMax = 10_000;

const groupsMax = 20;

/** `group`: a group key. `upTo`: the highest proposal id to include. */
export type ProposalFilter = {
  field?: string | undefined;
  source?: string | undefined;
  group?: string | undefined;
  row?: number | undefined;
  upTo?: number | undefined;
};

const nothing = sql``;

/**
 * SQL: open proposals whose row still exists. A re-read may have removed or replaced their records. A lateral join
 * looks up each row, because a fresh run has no statistics yet.
 */
const openNow = ({ import_id, run }: RunOfRows, filter: ProposalFilter = {}, more = nothing) => sql`
  proposals cross join lateral (
    select title from rows where rows.import_id = ${import_id} and rows.run = ${run}
      and rows.row = proposals.row and rows.byte_from = proposals.byte_from offset 0
  ) rows
  where proposals.import_id = ${import_id} and proposals.state = 'open'
    ${filter.field === undefined ? nothing : sql`and proposals.field = ${filter.field}`}
    ${filter.source === undefined ? nothing : sql`and proposals.source = ${filter.source}`}
    ${filter.group === undefined ? nothing : sql`and proposals.group_key = ${filter.group}`}
    ${filter.row === undefined ? nothing : sql`and proposals.row = ${filter.row}`}
    ${filter.upTo === undefined ? nothing : sql`and proposals.id <= ${filter.upTo}`} ${more}`;

/** Returns matching open proposals with ids above `after`, in the order of ids. */
export const listProposals = (
  db: Db,
  of: RunOfRows,
  { filter = {}, after = 0, limit }: { filter?: ProposalFilter; after?: number; limit: number },
) =>
  queryRows<ProposalRecord & { title: string | null }>(db)`
    select proposals.*, rows.title from ${openNow(of, filter)} and proposals.id > ${after}
    order by proposals.id limit ${limit}`;

export const readNewestProposalId = (db: Db, of: RunOfRows) =>
  findValue<number>(db)`
    select proposals.id from ${openNow(of)} order by proposals.id desc limit 1`;

export const listProposalIds = (db: Db, of: RunOfRows, filter: ProposalFilter, limit: number) =>
  queryValues<number>(db)`
    select proposals.id from ${openNow(of, filter)} order by proposals.id limit ${limit}`;

/** Counts open proposals, up to `proposalsCountedMax`. */
export const countProposals = (db: Db, of: RunOfRows, filter: ProposalFilter = {}) =>
  queryValue<number>(db)`
    select count(*)::int as count
    from (select 1 from ${openNow(of, filter)} limit ${proposalsCountedMax}) open`;

/** Counts open proposals by field and source, each up to `proposalsCountedMax`. */
export const countProposalsByField = (db: Db, of: RunOfRows) =>
  queryRows<{ field: string; source: string; count: number }>(db)`
    with ${kindsOf(of)}
    select kinds.field, kinds.source, count(*)::int as count
    from kinds cross join lateral (
      select 1 from ${openNow(of, {}, ofKind)} limit ${proposalsCountedMax}
    ) open
    group by kinds.field, kinds.source order by kinds.field, kinds.source`;

export type ProposalGroup = { key: string; field: string; source: string; reason: string; count: number };

/**
 * Returns the largest groups with at least two proposals. For each field and source, groups are formed from only the
 * first `proposalsCountedMax` proposals, but the counts include all proposals of a group.
 */
export const listProposalGroups = (db: Db, of: RunOfRows, filter: ProposalFilter) =>
  queryRows<ProposalGroup>(db)`
    with ${kindsOf(of)}, largest as (
      select kinds.field, kinds.source, group_key, min(reason) as reason
      from kinds cross join lateral (
        select proposals.group_key, reason from ${openNow(of, filter, ofKind)} and proposals.group_key is not null
        limit ${proposalsCountedMax}
      ) open
      group by kinds.field, kinds.source, group_key having count(*) > 1
      order by count(*) desc, group_key limit ${groupsMax}
    )
    select kinds.group_key as key, kinds.field, kinds.source, kinds.reason, counted.count
    from largest kinds cross join lateral (
      select count(*)::int as count from (
        select 1 from ${openNow(of, filter, ofKind)} and proposals.group_key = kinds.group_key
        limit ${proposalsCountedMax}
      ) open
    ) counted
    order by counted.count desc, key`;

const ofKind = sql`and proposals.field = kinds.field and proposals.source = kinds.source`;

/** SQL: the fields and sources with open proposals. Each pair is limited on its own, so that none hides the others. */
const kindsOf = ({ import_id }: RunOfRows) => sql`
  kinds as (select distinct field, source from proposals where import_id = ${import_id} and state = 'open')`;
