import { type GuardFinding, listGuardFindings } from '@draftshelf/domain/push/guard-findings';
import { type ListFacts, noListFacts } from '@draftshelf/domain/push/list-facts';
import { describeOperations } from '@draftshelf/domain/review/operations/operations-sentence';
import { canRunOnPartialList } from '@draftshelf/domain/review/operations/recipe';
import { findFieldDifferences } from '@draftshelf/domain/suppliers/compare-lists';
import { type ListCommand, type ListFindings, unansweredFindings } from '@draftshelf/domain/suppliers/list';
import type { Db } from '../connection/database.ts';
import type { ImportRecord, RowFacet, SupplierListRecord, SupplierRecipe } from '../connection/schema.ts';
import { readFacets } from '../review/row-facets.ts';
import { countMatchingRows } from '../review/search/row-filter.ts';
import { findListOfImport, findListsWithoutAnswer, listCountedLists } from '../suppliers/lists.ts';
import { listOfferedRecipesOf } from '../suppliers/recipes.ts';
import { countUndecidedPrices } from '../suppliers/supplier-proposals.ts';
import { countOwnProductsInStore, findPushConfirmations } from '../suppliers/supplier-pushes.ts';
import { findSupplier, isNamed } from '../suppliers/suppliers.ts';
import { currentRows, type RowRules, type RunOfRows, readPartialRuns, readRowRules } from '../work/runs.ts';

/** Facts about an import as its supplier's list. `isNamed`: whether screens show the supplier's name. */
export type ImportListFacts = {
  list: SupplierListRecord;
  supplier: { id: number; name: string };
  isNamed: boolean;
  /** The last list that counts. Undefined if this list is not open, or if no list counts yet. */
  last: SupplierListRecord | undefined;
  /** Findings that speak against a push. `overtakenBy`: file of a later list that already counts, or null. */
  findings: ListFindings;
  overtakenBy: string | null;
  recipes: ListCommand[];
};

/** Reads an import as a list of its supplier. Returns null if the import has no supplier. */
export async function readListOfImport(db: Db, record: ImportRecord): Promise<ImportListFacts | null> {
  const { id, supplier: of } = record;
  const list = of === null ? undefined : await findListOfImport(db, id);
  const supplier = list && (await findSupplier(db, { id: list.supplier }));
  if (!list || !supplier) return null;
  const [last] = list.state === 'open' ? await listCountedLists(db, supplier.id, 1) : [];
  const overtakenBy = last && last.number > list.number ? last.filename : null;
  // If a later list already counts, this list is reported as late.
  const late = overtakenBy === null ? {} : { late: { filename: overtakenBy, back: 0, of: 0 } };
  return {
    ...{ list, supplier, last, overtakenBy },
    isNamed: await isNamed(db, supplier.id),
    findings: { ...late, ...list.findings },
    recipes: ((await readRecipes(db, [record])).get(id) ?? []).map(({ operations, rows_last }) => ({
      sentence: describeOperations(operations),
      rows: rows_last,
    })),
  };
}

/** Reads the recipes offered to imports. For a list of prices and stock, leaves out recipes without an effect. */
async function readRecipes(db: Db, records: readonly ImportRecord[]): Promise<Map<string, SupplierRecipe[]>> {
  const offered = await listOfferedRecipesOf(db, records);
  const offering = records.filter(({ id }) => offered.has(id));
  const partial = await readPartialRuns(db, offering);
  for (const [id, file] of partial) {
    const about = offered.get(id)?.filter((recipe) => canRunOnPartialList(recipe, file)) ?? [];
    offered.set(id, about);
  }
  return offered;
}

/** Finds imports for which the operator has to decide about recipes before a push. */
export async function findRecipeQuestions(db: Db, records: readonly ImportRecord[]): Promise<Set<string>> {
  const lists = await findListsWithoutAnswer(db, records);
  const listed = records.filter(({ id }) => lists.has(id));
  const recipes = await readRecipes(db, listed);
  return new Set([...recipes].flatMap(([id, offered]) => (offered.length > 0 ? [id] : [])));
}

/** Reads the facts about a supplier's list that decide about the push of its import. */
export async function readListFacts(
  db: Db,
  record: ImportRecord,
  own: ImportListFacts | null,
): Promise<ListFacts> {
  if (!own) return { ...noListFacts, isAsked: record.asked_supplier !== null };
  const { list, supplier } = own;
  const of = currentRows(record);
  const pushes = await findPushConfirmations(db, supplier.id);
  const isFirst = record.push_run === 0 && pushes?.updates_agreed_at === null;
  return {
    isAsked: false,
    supplier: own.isNamed ? supplier.name : null,
    findings: unansweredFindings(own.findings, list.answers),
    undecided: await countUndecidedPrices(db, of),
    recipes: needsRecipeAnswer(record, own) ? own.recipes : [],
    firstUpdates: isFirst ? await countOwnProductsInStore(db, of) : 0,
    lacking: record.source === 'address' ? lackingOf(own) : noListFacts.lacking,
  };
}

/** Returns which columns and how many items an open list lacks, compared with the last list that counts. */
function lackingOf({ list: { fields, counts }, last }: ImportListFacts): ListFacts['lacking'] {
  const differences = last ? findFieldDifferences(last.fields, fields) : null;
  return { fields: differences?.missing ?? [], missing: counts?.missing ?? 0, of: counts?.items ?? 0 };
}

export const needsRecipeAnswer = (
  { push_run }: Pick<ImportRecord, 'push_run'>,
  { list, recipes }: ImportListFacts,
): boolean => recipes.length > 0 && push_run === 0 && list.answers.recipes === undefined;

/** Returns whether a later list counts and the operator has not yet confirmed this list's push. */
export const needsLateListAnswer = (
  { push_run }: Pick<ImportRecord, 'push_run'>,
  { list, overtakenBy }: ImportListFacts,
): boolean => overtakenBy !== null && push_run === 0 && list.answers.isLatest === undefined;

export async function readGuardFindings(db: Db, of: RunOfRows): Promise<GuardFinding[]> {
  const rules = await readRowRules(db, of);
  return rules.guards === null ? [] : computeGuardFindings(await readFacets(db, of), rules);
}

/** Returns the guards' findings for a run, from the facets of its rows. */
export function computeGuardFindings(
  facets: readonly RowFacet[],
  { guards, mapping }: Pick<RowRules, 'guards' | 'mapping'>,
): GuardFinding[] {
  if (guards === null || mapping === null) return [];
  return listGuardFindings(guards, (issue) => countMatchingRows(facets, { issue }), mapping);
}
