import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import { toStorableText } from '@draftshelf/domain/base/storable-text';
import { aiSource, ruleSource, supplierSource } from '@draftshelf/domain/enrich/sources';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { storableJson } from '../../connection/storable-json.ts';
import { unnestRows } from '../../connection/unnest-rows.ts';

/** A value proposed for a field of the record at offset `byteFrom`, which now has the row number `row`. */
export type NewProposal = {
  row: number;
  byteFrom: number;
  field: CanonicalField;
  /** The field's current value. A bulk decision takes the proposal only while the field still has this value. */
  before: string | null;
  value: string;
  /** A source of look-ups, `ruleSource`, `aiSource` or `supplierSource`. */
  source: string;
  /** A code of the domain's ProposalReason, or a sentence for the operator. */
  reason: string;
  /** The text in the row from which the value was derived. */
  evidence?: string | null;
  /** The value that all proposals of a group share, as screens show it. Example: 'Wall Art'. */
  groupKey?: string | null;
  /** The GTIN of the look-up that found the value. */
  gtin?: string | null;
  attribution?: string | null;
};

/** Sources with one open proposal per row and field. A newer proposal of the source replaces the open one. */
export const replacingSources: readonly string[] = [ruleSource, aiSource, supplierSource];

/**
 * Stores proposals. The caller has locked the import's rows. Decided proposals stay decided. Existing proposals get
 * the new number of their row. If the field was edited, `before` keeps its first value, so that a bulk decision does
 * not overwrite the edit.
 */
export async function addProposals(
  db: Db,
  importId: string,
  proposals: readonly NewProposal[],
): Promise<void> {
  if (proposals.length === 0) return;
  const given = new Map(
    proposals.map((proposal) => {
      const { byteFrom, field, source } = proposal;
      const value = toStorableText(proposal.value);
      const key = storableJson([byteFrom, field, source, replacingSources.includes(source) ? '' : value]);
      const { evidence = null, gtin = null, attribution = null } = proposal;
      const groupKey = isShort(proposal.groupKey) ? proposal.groupKey : null;
      return [key, { ...proposal, value, evidence, groupKey, gtin, attribution }];
    }),
  );
  const rows = [...given.values()];
  const replacing: (NewValue & { source: string })[] = rows.filter(({ source }) =>
    replacingSources.includes(source),
  );
  const { byteFrom, field, source, value } = proposalColumns;
  const newer = unnestRows('newer', replacing, { byteFrom, field, source, value });
  const differs = sql`of_record.field = newer.field and of_record.source = newer.source
    and of_record.value <> newer.value`;
  if (replacing.length > 0)
    await sql`delete from proposals where ${openOf(importId, newer, differs)}`.execute(db);
  await sql`
    insert into proposals
      (import_id, row, byte_from, field, before, value, source, reason, evidence, group_key, gtin, attribution)
    select ${importId}, added.* from ${unnestRows('added', rows, proposalColumns)}
    on conflict (import_id, byte_from, field, source, md5(value)) do update set row = excluded.row,
      reason = excluded.reason, evidence = excluded.evidence, group_key = excluded.group_key,
      before = case when exists (
        select 1 from edits
        where edits.import_id = proposals.import_id and edits.byte_from = proposals.byte_from
          and edits.field = proposals.field) then proposals.before else excluded.before end`.execute(db);
}

/** Maximum length of a group key. Screens show the key as the name of the group, on one line. */
const groupKeyCharsMax = 255;

const isShort = (text: string | null | undefined): text is string =>
  typeof text === 'string' && text.length <= groupKeyCharsMax;

const proposalColumns = {
  ...({ row: 'int', byteFrom: 'bigint', field: 'text', before: 'text', value: 'text' } as const),
  ...({ source: 'text', reason: 'text', evidence: 'text', groupKey: 'text', gtin: 'text' } as const),
  ...({ attribution: 'text' } as const),
};

type NewValue = { byteFrom: number; field: string; value: string };

/** Removes open proposals whose field now has the proposed value. */
export async function removeFilled(db: Db, importId: string, values: readonly NewValue[]): Promise<void> {
  const { byteFrom, field, value } = proposalColumns;
  const newer = unnestRows('newer', values, { byteFrom, field, value });
  const isSame = sql`of_record.field = newer.field and of_record.value = newer.value`;
  if (values.length > 0)
    await sql`delete from proposals where ${openOf(importId, newer, isSame)}`.execute(db);
}

/** SQL condition: open proposals, searched by record. Without statistics, the planner would read all proposals. */
const openOf = (importId: string, newer: RawBuilder<unknown>, which: RawBuilder<unknown>) => sql`
  state = 'open' and id = any(array(
    select of_record.id from ${newer} cross join lateral (
      select id, field, source, value, gtin, state from proposals
      where import_id = ${importId} and byte_from = newer.byte_from
      offset 0
    ) of_record
    where ${which} and of_record.state = 'open'))`;

/** Removes the supplier's open proposals for some fields, except those with the given values. */
export async function removeOfSupplier(db: Db, importId: string, cells: readonly NewValue[]): Promise<void> {
  if (cells.length === 0) return;
  const { byteFrom, field, value } = proposalColumns;
  const newer = unnestRows('newer', cells, { byteFrom, field, value });
  const differs = sql`of_record.field = newer.field and of_record.source = ${supplierSource}
    and of_record.value <> newer.value`;
  await sql`delete from proposals where ${openOf(importId, newer, differs)}`.execute(db);
}

export type DismissedProposal = Pick<
  NewProposal,
  'row' | 'byteFrom' | 'field' | 'before' | 'value' | 'source' | 'reason'
> & { decidedAt: string };

/** Stores proposals that the operator has dismissed in an earlier list, so that they are not proposed again. */
export async function addDismissedProposals(
  db: Db,
  importId: string,
  proposals: readonly DismissedProposal[],
): Promise<void> {
  if (proposals.length === 0) return;
  const { row, byteFrom, field, before, value, source, reason } = proposalColumns;
  const columns = { row, byteFrom, field, before, value, source, reason, decidedAt: 'timestamptz' } as const;
  await sql`
    insert into proposals (import_id, row, byte_from, field, before, value, source, reason, decided_at, state)
    select ${importId}, added.*, 'dismissed' from ${unnestRows('added', proposals, columns)}
    on conflict (import_id, byte_from, field, source, md5(value)) do nothing`.execute(db);
}

/** Removes the open proposals of some sources, optionally only those with a certain attribution. */
export async function removeSourceProposals(
  db: Db,
  sources: readonly string[],
  attribution?: string,
): Promise<void> {
  const isMeant = attribution === undefined ? sql`true` : sql`attribution = ${attribution}`;
  await sql`
    delete from proposals
    where source = any(${sources}::text[]) and state = 'open' and ${isMeant}`.execute(db);
}

/** Removes open proposals found by a GTIN that the product no longer has. */
export async function removeStaleProposals(
  db: Db,
  importId: string,
  current: readonly { byteFrom: number; gtin: string | null }[],
): Promise<void> {
  const { byteFrom, gtin } = proposalColumns;
  const newer = unnestRows('newer', current, { byteFrom, gtin });
  const isStale = sql`of_record.gtin is not null and of_record.gtin is distinct from newer.gtin`;
  await sql`delete from proposals where ${openOf(importId, newer, isStale)}`.execute(db);
}
