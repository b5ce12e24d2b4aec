import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { type Migration, type MigrationResultSet, Migrator } from 'kysely/migration';
import type { Db } from '../connection/database.ts';
import * as start from './0001-start.ts';
import * as push from './0003-push.ts';
import * as storeCopy from './0004-store-copy.ts';
import * as dashboard from './0005-dashboard.ts';
import * as credentialsAndSettings from './0006-credentials-and-settings.ts';
import * as lookups from './0008-lookups.ts';
import * as pushChecks from './0009-push-checks.ts';
import * as sourceKeys from './0010-source-keys.ts';
import * as storableText from './0011-storable-text.ts';
import * as securityEvents from './0012-security-events.ts';
import * as undoRecords from './0013-undo-records.ts';
import * as proposalCommands from './0014-proposal-commands.ts';
import * as startsAndWaits from './0015-starts-and-waits.ts';
import * as uploads from './0016-uploads.ts';
import * as priceAnswer from './0018-price-answer.ts';
import * as sourceClock from './0020-source-clock.ts';
import * as scannedProducts from './0021-scanned-products.ts';
import * as watchedFolders from './0022-watched-folders.ts';
import * as proposalsInBulk from './0023-proposals-in-bulk.ts';
import * as categoryRules from './0024-category-rules.ts';
import * as aiService from './0025-ai-service.ts';
import * as askedService from './0026-asked-service.ts';
import * as editSources from './0027-edit-sources.ts';
import * as editAuthors from './0028-edit-authors.ts';
import * as commands from './0029-commands.ts';
import * as issueConsequences from './0030-issue-consequences.ts';
import * as retention from './0033-retention.ts';
import * as vacuumSettings from './0034-vacuum-settings.ts';
import * as backups from './0035-backups.ts';
import * as settleRowSearch from './0036-settle-row-search.ts';
import * as conditions from './0037-conditions.ts';
import * as deadWork from './0039-dead-work.ts';
import * as audits from './0040-audits.ts';
import * as pushPlans from './0041-push-plans.ts';
import * as pushChoices from './0042-push-choices.ts';
import * as pushUndos from './0043-push-undos.ts';
import * as earlierFileAndDisk from './0044-earlier-file-and-disk.ts';
import * as planPages from './0045-plan-pages.ts';
import * as leftOutRows from './0046-left-out-rows-count-once.ts';
import * as skippedInStore from './0047-skipped-in-store.ts';
import * as planFacts from './0048-plan-facts.ts';
import * as listsOfPlans from './0049-lists-of-plans.ts';
import * as expectedBefore from './0050-expected-before.ts';
import * as keyClaims from './0051-key-claims.ts';
import * as undoneCounts from './0052-undone-counts.ts';
import * as tasks from './0053-tasks.ts';
import * as previews from './0057-previews.ts';
import * as suppliers from './0058-suppliers.ts';
import * as countedLists from './0059-counted-lists.ts';
import * as fileTables from './0060-file-tables.ts';
import * as filePictures from './0062-file-pictures.ts';
import * as copiedCommands from './0063-copied-commands.ts';
import * as gone from './0064-gone.ts';
import * as recipes from './0065-recipes.ts';
import * as leavingSuppliers from './0066-leaving-suppliers.ts';
import * as corrections from './0067-corrections.ts';
import * as actedLists from './0068-acted-lists.ts';
import * as picturesNotice from './0069-pictures-notice.ts';
import * as rowTexts from './0070-row-texts.ts';
import * as rowOrders from './0071-row-orders.ts';
import * as keptBackups from './0073-kept-backups.ts';
import * as guards from './0074-guards.ts';
import * as sharedTitles from './0075-shared-titles.ts';
import * as leftRows from './0076-left-rows.ts';
import * as overlappingChoice from './0080-overlapping-choice.ts';
import * as deaths from './0081-deaths.ts';
import * as columnReadings from './0085-column-readings.ts';
import * as chunkDeaths from './0086-chunk-deaths.ts';
import { runByRun } from './in-parts/run-by-run.ts';
import { storableTextInParts } from './in-parts/storable-text.ts';
import { appliedMigrations } from './schema-gate.ts';

/** Every migration by name, in the order in which they run. */
export const migrations = {
  '0001-start': start,
  '0003-push': push,
  '0004-store-copy': storeCopy,
  '0005-dashboard': dashboard,
  '0006-credentials-and-settings': credentialsAndSettings,
  '0008-lookups': lookups,
  '0009-push-checks': pushChecks,
  '0010-source-keys': sourceKeys,
  '0011-storable-text': storableText,
  '0012-security-events': securityEvents,
  '0013-undo-records': undoRecords,
  '0014-proposal-commands': proposalCommands,
  '0015-starts-and-waits': startsAndWaits,
  '0016-uploads': uploads,
  '0018-price-answer': priceAnswer,
  '0020-source-clock': sourceClock,
  '0021-scanned-products': scannedProducts,
  '0022-watched-folders': watchedFolders,
  '0023-proposals-in-bulk': proposalsInBulk,
  '0024-category-rules': categoryRules,
  '0025-ai-service': aiService,
  '0026-asked-service': askedService,
  '0027-edit-sources': editSources,
  '0028-edit-authors': editAuthors,
  '0029-commands': commands,
  '0030-issue-consequences': issueConsequences,
  '0033-retention': retention,
  '0034-vacuum-settings': vacuumSettings,
  '0035-backups': backups,
  '0036-settle-row-search': settleRowSearch,
  '0037-conditions': conditions,
  '0039-dead-work': deadWork,
  '0040-audits': audits,
  '0041-push-plans': pushPlans,
  '0042-push-choices': pushChoices,
  '0043-push-undos': pushUndos,
  '0044-earlier-file-and-disk': earlierFileAndDisk,
  '0045-plan-pages': planPages,
  '0046-left-out-rows-count-once': leftOutRows,
  '0047-skipped-in-store': skippedInStore,
  '0048-plan-facts': planFacts,
  '0049-lists-of-plans': listsOfPlans,
  '0050-expected-before': expectedBefore,
  '0051-key-claims': keyClaims,
  '0052-undone-counts': undoneCounts,
  '0053-tasks': tasks,
  '0057-previews': previews,
  '0058-suppliers': suppliers,
  '0059-counted-lists': countedLists,
  '0060-file-tables': fileTables,
  '0062-file-pictures': filePictures,
  '0063-copied-commands': copiedCommands,
  '0064-gone': gone,
  '0065-recipes': recipes,
  '0066-leaving-suppliers': leavingSuppliers,
  '0067-corrections': corrections,
  '0068-acted-lists': actedLists,
  '0069-pictures-notice': picturesNotice,
  '0070-row-texts': rowTexts,
  '0071-row-orders': rowOrders,
  '0073-kept-backups': keptBackups,
  '0074-guards': guards,
  '0075-shared-titles': sharedTitles,
  '0076-left-rows': leftRows,
  '0080-overlapping-choice': overlappingChoice,
  '0081-deaths': deaths,
  '0085-column-readings': columnReadings,
  '0086-chunk-deaths': chunkDeaths,
};

/**
 * Migrations that would lock rows of large tables for longer than others can wait. They are done in parts instead, each
 * a transaction of its own. One that was stopped begins again, and what is done stays done.
 */
const inParts: Readonly<Record<string, (db: Kysely<unknown>) => Promise<void>>> = {
  '0011-storable-text': storableTextInParts,
  '0030-issue-consequences': runByRun(issueConsequences, ['refused', 'check']),
  '0046-left-out-rows-count-once': runByRun(leftOutRows),
};

/** A statement waited too long for a lock, or for somebody who waits for a lock of the migration. */
const lockErrors: readonly unknown[] = ['55P03', '40P01'];
/** Pause before a migration is tried again that did not get a lock, and how often it is. */
const lockPauseMs = 1_000;
const lockTriesMax = 120;

/**
 * Brings the schema up to date, or up to the migration `last`; safe to call from several processes at once (Kysely
 * takes a lock). Each migration has a transaction of its own, so its locks last no longer than it does, except those
 * that are done in parts. In a transaction all become part of it. Where the connections of `database` limit the wait
 * for a lock, a migration that met one is tried again. A schema that a newer version has migrated further stays as it
 * is. Throws when a migration fails; the ones before it stay applied.
 */
export async function migrate(database: { db: Db }, last?: string): Promise<string[]> {
  const applied = await appliedMigrations(database.db);
  const newer = applied.filter((name) => !(name in migrations));
  if (newer.length > 0) {
    const missing = Object.keys(migrations).filter((name) => !applied.includes(name));
    if (missing.length === 0) return [];
    throw new Error(
      `A newer version has migrated this database (${newer.join(', ')}), but not ${missing.join(', ')}.`,
    );
  }
  const done: string[] = [];
  for (let tries = 1; last === undefined || done.at(-1) !== last; ) {
    const { error, results = [] } = await migrateNext(database.db);
    if (error && isPassing(error) && tries < lockTriesMax) {
      tries += 1;
      await pause(lockPauseMs);
      continue;
    }
    if (error) throw error;
    if (results.length === 0) break;
    done.push(...results.map(({ migrationName }) => migrationName));
  }
  return done;
}

async function migrateNext(db: Db): Promise<MigrationResultSet> {
  const applied = await appliedMigrations(db);
  const next = Object.keys(migrations).find((name) => !applied.includes(name));
  const up = db.isTransaction || next === undefined ? undefined : inParts[next];
  const provided: Record<string, Migration> = { ...migrations };
  if (up) {
    // Without a transaction, only this one may run.
    for (const name of Object.keys(provided)) provided[name] = { up: name === next ? up : refuseOthers };
  }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => provided } });
  return migrator.migrateUp({ disableTransactions: up !== undefined });
}

/** Another process has done the next migration meanwhile. */
class OvertakenError extends Error {}
const refuseOthers = async () => {
  throw new OvertakenError();
};

const isPassing = (error: unknown): boolean =>
  error instanceof OvertakenError ||
  (error instanceof Error && 'code' in error && lockErrors.includes(error.code));
