import type { Dialect } from '@draftshelf/csv/dialect';
import type { MatchChoice, Preferences } from '@draftshelf/domain/access/preferences';
import type { AutoProcessMode, Settings } from '@draftshelf/domain/access/settings';
import type { CanonicalField, RowValues } from '@draftshelf/domain/base/canonical-fields';
import type { Weight } from '@draftshelf/domain/base/weight';
import type { AskableField, SentProduct } from '@draftshelf/domain/enrich/ai/answer';
import type { CategoryRule } from '@draftshelf/domain/enrich/rules/category-rule';
import type { SourceAnswer } from '@draftshelf/domain/enrich/sources';
import type {
  FolderKind,
  FolderState,
  WatchedFileOption,
  WatchedFileState,
} from '@draftshelf/domain/folders/folders';
import type { ActivityType } from '@draftshelf/domain/imports/activity';
import type { ImportStatus } from '@draftshelf/domain/imports/import-status';
import type { Outcome, OutcomeCode } from '@draftshelf/domain/imports/outcome';
import type { Stage } from '@draftshelf/domain/imports/stages';
import type { AuditDifference } from '@draftshelf/domain/operate/audit';
import type { Guards } from '@draftshelf/domain/products/guards';
import type { ProductKeyKind } from '@draftshelf/domain/products/product-keys';
import type { DecisionCounts } from '@draftshelf/domain/push/plan-decisions';
import type { ChoiceAbout, PushChoice } from '@draftshelf/domain/push/push-choices';
import type { Deviation, PlanComparison, PlanSettings } from '@draftshelf/domain/push/push-plan';
import type { KeptPart, UndoChoice, UndoCode, WhenUnsure } from '@draftshelf/domain/push/push-undo';
import type { UndoAction, UndoSums } from '@draftshelf/domain/push/undo-actions';
import type { ColumnAnswers } from '@draftshelf/domain/reading/column-questions';
import type { FileTable } from '@draftshelf/domain/reading/file-tables';
import type { HeaderMapping, MappingOverrides } from '@draftshelf/domain/reading/mapping/header-mapping';
import type { LineKind } from '@draftshelf/domain/review/corrections/line-kinds';
import type { IssueSet } from '@draftshelf/domain/review/issue-set';
import type { ConsequenceFilter, IssueCode, OutFilter } from '@draftshelf/domain/review/issues';
import type { CommandTarget } from '@draftshelf/domain/review/operations/command-target';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import type { Carry } from '@draftshelf/domain/review/operations/operation-row';
import type {
  CommandStep,
  RecipeAsks,
  RecipeTakes,
  StepTarget,
} from '@draftshelf/domain/review/operations/recipe';
import type { RowClass } from '@draftshelf/domain/review/row-rule';
import type { StoredValues } from '@draftshelf/domain/review/stored-values';
import type { Dimensions } from '@draftshelf/domain/scanner/scanned-product';
import type { GoneAction, GoneCode, GoneEnd } from '@draftshelf/domain/suppliers/gone';
import type { ListAnswers, ListCommand, ListCounts, ListFindings } from '@draftshelf/domain/suppliers/list';
import type { SupplierQuestion, SupplierSign } from '@draftshelf/domain/suppliers/propose-supplier';
import type { LeasedKind } from '@draftshelf/domain/work/leased-tasks';
import type { TaskKind } from '@draftshelf/domain/work/task-catalog';
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType, Selectable } from 'kysely';
import type { JsonColumn, StorableJson } from './storable-json.ts';

type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>;
type NullableTimestamp = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type Counter = Generated<number>;

export type ImportsTable = {
  id: Generated<string>;
  version: Generated<number>;
  filename: string;
  file_bytes: number;
  sha256: string;
  object_key: string;
  same_as: string | null;
  /** The name of that file; null for imports of earlier versions. */
  same_filename: ColumnType<string | null, string | null | undefined, never>;
  /** The operator's answer about prices in another currency, and the run of the rows that it is about. */
  price_answer: 'send' | 'hold' | null;
  price_answer_run: number | null;
  status: ImportStatus;
  /** How often it was set running: by a push, a retry, a resume or a re-read. */
  starts: Counter;
  paused_from: 'processing' | 'uploading' | null;
  paused_by: 'operator' | 'store' | null;
  resume_at: NullableTimestamp;
  /** When the store's pause began. */
  paused_at: NullableTimestamp;
  test_mode: boolean;
  enable_upc: boolean;
  enable_ai: boolean;
  currency: Generated<string>;
  /** The myshopify domain of the store that the import was last pushed to. */
  shop: string | null;
  parse_run: Counter;
  enrich_run: Counter;
  push_run: Counter;
  /** The push run that is being undone; the current one: it changes products that are gone; null: neither. */
  undoes_run: number | null;
  /** The parse run whose rows are current. */
  rows_run: Counter;
  /**
   * The scanned bytes in which the offsets of edits and of our ids are counted; null: those of the import's first run.
   */
  offsets_in: string | null;
  push_total: Counter;
  push_done: Counter;
  created: Counter;
  updated: Counter;
  unchanged: Counter;
  skipped: Counter;
  failed: Counter;
  /** Of the skipped products, those that the store already had under another id when the last push ended. */
  in_store: Counter;
  /** Products that got a found value since the last push began. */
  found_since_push: Counter;
  waiting_for: string | null;
  waiting_until: NullableTimestamp;
  /** Since when the store has refused every request, because it is locked or unpaid. */
  store_refuses_since: NullableTimestamp;
  /** How often the import was paused for that since the store's last answer. */
  store_pauses: Counter;
  created_at: Timestamp;
  /** Who brought the file: an upload, or a watched folder. */
  source: Generated<'upload' | FolderKind>;
  /** Where the file lay in the watched folder, for people; null: uploaded. */
  source_path: string | null;
  /** The setting Auto-processing Mode when the file was taken from a watched folder; null: uploaded. */
  auto_mode: AutoProcessMode | null;
  /** full-auto: when it will be pushed by itself; null: not decided, pushed, stopped or held. */
  auto_push_at: NullableTimestamp;
  /** full-auto: why it is not pushed by itself, as a sentence; null: it may be, or it was. */
  auto_held: string | null;
  /** Of a watched folder: included in the activity, or left out of it on purpose. */
  summarized: Generated<boolean>;
  /** When its rows began to be removed by retention; null: they are there. */
  rows_removed_at: NullableTimestamp;
  /** When its file was removed by retention; null: it is there. */
  file_removed_at: NullableTimestamp;
  /** When the operator began to delete the import: a task removes its parts first. */
  deletion_began_at: NullableTimestamp;
  /** Whose list it is; null: not known, or nobody's. */
  supplier: ColumnType<number | null, number | null | undefined>;
  supplier_by: ColumnType<SupplierBy | null, SupplierBy | null | undefined>;
  /** Whose list it may be, if only the operator can tell: it has `asked_known` of `asked_sampled` of their products. */
  asked_supplier: ColumnType<number | null, number | null | undefined>;
  asked_known: ColumnType<number | null, number | null | undefined>;
  asked_sampled: ColumnType<number | null, number | null | undefined>;
  /** When the file was changed last, by its folder or its upload; null: not known. */
  file_at: NullableTimestamp;
  /** Edits up to this id, and decisions about proposals up to this time, are among the supplier's carried values. */
  edits_kept_to: Counter;
  proposals_kept_to: NullableTimestamp;
  /** Pictures of its archive or workbook. */
  pictures: Counter;
};

/** What a parse run has counted, and what has become of its import since it began. */
export type ImportState = {
  failed_in: Stage | null;
  /** Work chunks of the current stage and run that are neither done nor dead. */
  open_chunks: Counter;
  total_rows: Counter;
  total_products: Counter;
  /** The highest product number. Numbers of products that were joined to another one remain as gaps. */
  product_numbers: Counter;
  /** Edits in effect that match no row of the run. */
  edits_without_row: Counter;
  parsed_rows: Counter;
  processed_products: Counter;
  valid_products: Counter;
  warning_products: Counter;
  error_products: Counter;
  enrich_rows: Counter;
  enriched_rows: Counter;
  marked_ready: Generated<boolean>;
  error_message: string | null;
  error_log: Generated<string[]>;
  error_count: Counter;
  completed_at: NullableTimestamp;
};

/**
 * An import with the state that its latest parse run has of it: the view import_records. A migration that adds a column
 * to imports makes the view again.
 */
export type ImportRecordsTable = ImportsTable &
  ImportState & { stage: Generated<Stage>; started_at: NullableTimestamp };
export type ImportRecord = Selectable<ImportRecordsTable>;

/**
 * full: all rows or products; reread: reads the stored file again; retry: pushes what the last push did not bring;
 * undo: takes an earlier push back.
 */
export type RunKind = 'full' | 'reread' | 'retry' | 'undo' | 'gone';

/** Options of a run. */
export type RunOptions = {
  /** retry: the run pushes only products whose latest outcome is one of these. */
  onlyOutcomes: Outcome[];
};

export type RunsTable = ImportState & {
  import_id: string;
  stage: Stage;
  run: number;
  kind: Generated<RunKind>;
  options: JsonColumn<RunOptions> | null;
  /** parse: how the file is read and mapped in this run. */
  dialect: JsonColumn<Dialect> | null;
  headers: JsonColumn<string[]> | null;
  mapping: JsonColumn<HeaderMapping> | null;
  /** parse: overrides of the mapping, also for columns that this reading of the file does not have. */
  mapping_overrides: JsonColumn<MappingOverrides> | null;
  /** parse: the stage that the import is in, and when that was set running. */
  import_stage: Generated<Stage>;
  import_started_at: NullableTimestamp;
  /** parse, from the second run on: the status in which it began, and the last edit at that time; 0: there was none. */
  status_before: ColumnType<ImportStatus | null, ImportStatus | undefined, never>;
  edit_before: ColumnType<number | null, number | undefined, never>;
  /** push: whether Safe Mode was on when it began. */
  draft_mode: boolean | null;
  /** push: the choice for products that the store has under another id; null: as in the preferences. */
  when_in_store: MatchChoice | null;
  /** parse: the store's currency when the run began, which its rows are compared with; null: not known. */
  currency: string | null;
  /**
   * parse: whose list it is, as the operator says: a supplier's, a new one's under a name ('': one by evidence), or
   * nobody's; `supplier_by` null: by evidence.
   */
  supplier: ColumnType<number | null, number | null | undefined>;
  supplier_by: ColumnType<SupplierBy | null, SupplierBy | null | undefined>;
  supplier_name: ColumnType<string | null, string | null | undefined>;
  /** parse: it reads a list of prices and stock of a known supplier; null: it does not, or that is not known yet. */
  is_partial: ColumnType<boolean | null, undefined>;
  /** parse: the guards of the supplier that its rows were checked by; null: none. */
  guards: ColumnType<Guards | null, undefined, StorableJson | null>;
  /** parse: products that share a title with another one, and columns that tell them apart; null: none. */
  shared_titles: ColumnType<SharedTitles | null, undefined, StorableJson | null>;
  /** parse: its rows have what was kept of the supplier's other lists until then; null: until it started. */
  carried_at: NullableTimestamp;
  /** parse: the progress of its finalize step; null before it has begun. */
  finalize: JsonColumn<FinalizeProgress> | null;
  /**
   * parse: its products by field: all, with a value from file or edit (`filled`), and from a look-up (`found`); null:
   * they are not looked up.
   */
  coverage: JsonColumn<Record<string, Record<'products' | 'filled' | 'found', number>>> | null;
  /** parse: its rows by class and issue, as far as there are any. */
  facets: ColumnType<RowFacet[], undefined, StorableJson>;
  /** parse: its rows are of a version before, or of sources that are gone, and may lack their effective values. */
  lacks_values: Generated<boolean>;
  /** push: the myshopify domain of the store that the run pushes to; null until its first chunk. */
  shop: string | null;
  /** push: it was begun by full-auto, not by an operator. */
  automatic: Generated<boolean>;
  /** How often the run was retried because of the setting Auto-retry. */
  auto_retries: Counter;
  /** The operator does not want it retried by itself. */
  auto_retry_stopped: Generated<boolean>;
  started_at: Timestamp;
  ended_at: NullableTimestamp;
};
export type RunRecord = Selectable<RunsTable>;

/** Products that share a title with another one, and columns in which they differ as variants do. */
export type SharedTitles = { products: number; columns: string[] };

/** The steps of finalizing a parse run before the run becomes current. */
export type FinalizeStep =
  | 'find supplier'
  | 'group items'
  | 'find joins'
  | 'move joined rows'
  | 'carry offsets'
  | 'validate joined rows'
  | 'count products'
  | 'append added rows'
  | 'carry own ids'
  | 'find items'
  | 'validate items'
  | 'keep values'
  | 'carry values'
  | 'propose statuses'
  | 'carry outcomes'
  | 'apply edits'
  | 'find duplicates';

/**
 * The progress of finalizing a parse run. It is stored with every batch, so a stopped or killed worker loses one batch
 * at most. What belongs to the import and not to the run waits here until the run becomes current.
 */
export type FinalizeProgress = {
  /** The next step; null when the run can become current. */
  step: FinalizeStep | null;
  /** The last row or product number that the step has done. */
  at: number;
  /** Edits up to this id are applied to the rows, or the step applies them. */
  editsTo: number;
  /**
   * The import and the parse run whose offsets are carried over; null: none are. `countedIn`: the new
   * imports.offsets_in, when that is another import of the same file.
   */
  offsets: { import: string; run: number; countedIn: string | null } | null;
  /** Whose list it is. */
  supplier: FoundSupplier;
  /** The number of the supplier's newest list when items were found. */
  lists: number;
  /** Pushed imports of before there were suppliers whose products are put among this one's items; null: none are. */
  earlier: EarlierPushes | null;
  /**
   * The command with the carried values, and those that undid what other suppliers' lists had carried; null: none.
   * `proposalsAfter`: the proposals of the supplier that were made since have higher ids.
   */
  carried: { command: string | null; undo: string[] | null; proposalsAfter?: number };
  /** The last edit, if all are of carried values, whose rows are validated; null: there are others, or not known. */
  carriedTo: number | null;
  /** The counted list that the rows were compared with, what differs and what was noticed; null: with none. */
  compared: { list: number; counts: ListCounts; findings: ListFindings } | null;
  /** The list that the import was of another supplier, while items of it are left. The rows are current. */
  left?: { supplier: number; number: number };
};

/** How a supplier was found: by what its lists have in common, or by the operator. */
export type SupplierBy = 'evidence' | 'operator';

/**
 * Whose list a run reads. `id` null: a new supplier's, under `name`, '' if nothing names it, or, if `name` is null too,
 * nobody's. `asked`: only the operator can tell.
 */
export type FoundSupplier = {
  id: number | null;
  name: string | null;
  by: SupplierBy | null;
  asked: SupplierQuestion | null;
  /** What the list has in common with others of its supplier. */
  signs: SupplierSign[];
  /** The supplier that had begun last when this was found; 0: none. */
  newest: number;
};

/** Imports whose products become items of a supplier, the next one first, and its last product that has. */
export type EarlierPushes = { supplier: number; imports: string[]; product: number };

/**
 * split: reads the stored file and inserts the run's work chunks; finalize: the last step of a run; task: background
 * work on an import, whatever its status.
 */
export type ChunkKind = 'work' | 'split' | 'finalize' | 'task';
export type ChunkState = 'pending' | 'published' | 'done' | 'dead' | 'dropped';

export type ChunksTable = {
  id: GeneratedAlways<number>;
  import_id: string;
  stage: Stage;
  run: number;
  kind: ChunkKind;
  task: TaskKind | null;
  sequence: number;
  state: Generated<ChunkState>;
  publication: Generated<number>;
  /** Its rank among the published chunks of its import, from 1. The queue delivers low ones first. */
  priority: number | null;
  byte_from: number | null;
  byte_to: number | null;
  first_line: number | null;
  first_row: number | null;
  rows: number | null;
  first_product: number | null;
  products: number | null;
  /**
   * A task's progress: it has processed this many of its `total` rows; null: their number is not known. Of a part of a
   * push: the products that earlier claims have decided.
   */
  done: Counter;
  total: number | null;
  not_before: NullableTimestamp;
  /** When the wait until `not_before` began. */
  deferred_at: NullableTimestamp;
  waiting_for: string | null;
  /** Consecutive waits; each one doubles the pause. */
  waits: Counter;
  attempts: Counter;
  claims: Counter;
  /** Its claims when it last stored progress: of those, none counts as one that never ended. */
  claims_with_progress: Counter;
  claim_pid: number | null;
  claim_backend_start: NullableTimestamp;
  /** The process of its latest claim. */
  held_by: ColumnType<string | null, string | null | undefined>;
  /** Processes whose claims another process has taken over since the last progress, because they had no end. */
  lost_by: Generated<string[]>;
  error: string | null;
  /** The code of the cause of its last failure (causeCode), until it is done. */
  cause: ColumnType<string | null, string | null | undefined>;
  /** How often it was retried for this cause, also automatically. */
  retries: Counter;
  /** The command that the task applies or undoes. */
  command: ColumnType<string | null, string | null | undefined>;
  /** Null: it is older than this column. */
  created_at: ColumnType<Date | null, never, never>;
  ended_at: NullableTimestamp;
};
export type ChunkRecord = Selectable<ChunksTable>;

export type RowsTable = StoredColumns & {
  import_id: string;
  run: number;
  row: number;
  line: number;
  product: number;
  byte_from: number;
  issues: Generated<IssueSet>;
  class: RowClass;
  /** Finalize joined it to a product whose other rows are elsewhere in the file. */
  joined: Generated<boolean>;
  enrichable: boolean;
  ignored: string | null;
  /** The amount of its price, as decimal text, and its GTIN. */
  price: string | null;
  gtin: string | null;
  /** Its options as texts, with the names that its product has for them ('Size: S'); null: none. */
  options: ColumnType<string[] | null, string[] | null | undefined>;
  /** Where effective values come from that the cells do not give; null: all come from the cells. */
  sources: JsonColumn<Partial<Record<CanonicalField, 'edit' | 'found'>>> | null;
  /** The first row of its product in the file. Rows that are joined to another product are not its first. */
  is_first: Generated<boolean>;
  /** What the row is searched by (domain's searchText); null: it is ignored. */
  search: ColumnType<string | null, string | null | undefined>;
  group_key: string | null;
  cells: JSONColumnType<string[]>;
  /** The cells as they are in the file, when the reader moved them to other columns; null: `cells` are these. */
  cells_as_read: JSONColumnType<string[]> | null;
  /** On the first row of a product that has an id of its own. Null: our-id.ts derives the id. */
  own_id: ColumnType<string | null, string | null | undefined>;
  /**
   * What identifies the row within its supplier's lists, the hashes of its field groups, and its price in
   * ten-thousandths, quantity and GTIN as numbers, all as the file says them; null: none, or read by an older version.
   */
  item_key: ColumnType<string | null, string | null | undefined>;
  item_hashes: ColumnType<Buffer | null, Buffer | null | undefined>;
  item_price: ColumnType<number | null, number | null | undefined>;
  item_quantity: ColumnType<number | null, number | null | undefined>;
  item_gtin: ColumnType<number | null, number | null | undefined>;
};
export type RowRecord = Selectable<RowsTable>;

/** The effective values of a row and their sizes: domain's `valueColumns` and `sizeColumns`. */
type StoredColumns = {
  [column in keyof StoredValues]: ColumnType<StoredValues[column], StoredValues[column] | undefined>;
};

/**
 * Places of removed rows of a file, in blocks of row numbers. Rows of scanned products have none. `own_ids` is null
 * when no row has one.
 */
export type KeptPlacesTable = {
  import_id: string;
  run: number;
  block: number;
  rows: number[];
  lines: number[];
  offsets: number[];
  own_ids: (string | null)[] | null;
};

/** Deleted imports that were pushed. Their kept places lead to the same ids when the file arrives again. */
export type DeletedImportsTable = {
  id: string;
  sha256: string;
  /** The run of the kept places, the bytes that it scanned, and those that its offsets are counted in. */
  run: number;
  scanned_in: string;
  counted_in: string;
  /** Rows that it has read; a test import reads only the first ones of its file. */
  total_rows: number;
  deleted_at: Timestamp;
};

/** A row's class, or 'ignored' for ignored rows, whatever their class. */
export type FacetClass = RowClass | 'ignored';

/**
 * An issue; 'any' of them; any with a consequence; 'left-out' for rows that are left out of the push; or '' for every
 * row of the class.
 */
export type FacetIssue = IssueCode | 'any' | ConsequenceFilter | OutFilter | '';

/** Number of rows of a run that have a class and an issue. Ignored rows only count as ignored. */
export type RowFacet = {
  class: FacetClass;
  issue: FacetIssue;
  rows: number;
};

/** A row whose SKU or UPC another import has too that is not pushed yet. */
export type RowMatchesTable = {
  import_id: string;
  run: number;
  row: number;
  field: 'sku' | 'upc';
  other_import: string;
  /** The row has the issue. */
  marked: Generated<boolean>;
  found_at: Timestamp;
};

export type FoundValuesTable = {
  import_id: string;
  run: number;
  row: number;
  field: string;
  value: string;
  /** 'row', 'own', 'scanner', 'rule', 'file', or the name of a source. */
  source: string;
  /** The GTIN that was looked up; null for values from the row itself. */
  gtin: ColumnType<string | null, string | null | undefined>;
  attribution: ColumnType<string | null, string | null | undefined>;
  found_at: Timestamp;
};

/** Where a picture lies in the stored file, as its container's directory says. */
export type PicturePlace = {
  offset: number;
  bytes: number;
  packed: number;
  method: number;
  crc: number;
  /** The packed workbook in an archive that it is in. */
  within?: Pick<PicturePlace, 'offset' | 'bytes' | 'packed' | 'method' | 'crc'>;
  /** The last row of the sheet that it covers, if there are several. */
  toLine?: number;
};

/** A picture of an import's archive or workbook. */
export type FilePicturesTable = {
  import_id: string;
  /** Its number in the file, from 1; a photo that the operator has added is below 0. */
  n: number;
  /** Its path in the container, or the name of the file that it was added from. */
  entry: string;
  place: JsonColumn<PicturePlace>;
  /** The sheet's table number, and the row of the sheet that it is at; null: it has a name only. */
  sheet: number | null;
  line: number | null;
  /** The photo that was made of it. */
  photo_id: ColumnType<string | null, string | null | undefined>;
  state: Generated<'waiting' | 'stored' | 'refused'>;
  /** Why it was refused, as a sentence. */
  reason: ColumnType<string | null, string | null | undefined>;
};

/** The row of a run that a picture was matched to; null: to none, for this reason. */
export type PictureMatchesTable = {
  import_id: string;
  run: number;
  n: number;
  row: number | null;
  /** Why it was not matched, or not taken; null: the row has it. */
  reason: string | null;
};

/** A source of product data by GTIN, with its quota as data. */
export type SourcesTable = {
  name: string;
  base_url: string;
  /** Whether it is one of the simulated sources of `npm start`. */
  simulated: Generated<boolean>;
  /** Sources are asked in this order. */
  position: number;
  enabled: boolean;
  per_window: number;
  window_ms: number;
  per_day: number;
  day_ms: number;
  /** The pause before a GTIN is asked again after a call without an answer; it doubles. */
  retry_ms: Generated<number>;
  /** Calls that the source's headers allow until `calls_left_until`; null: no such headers. */
  calls_left: ColumnType<number | null, number | null | undefined>;
  calls_left_until: NullableTimestamp;
  blocked_until: NullableTimestamp;
  blocked_because: ColumnType<string | null, string | null | undefined>;
  /** Consecutive calls without an answer. */
  failures: Counter;
  /** The last admission, about; in the future after the clock was set back. */
  admitted_at: Timestamp;
  changed_at: Timestamp;
};
export type SourceRecord = Selectable<SourcesTable>;

/** A call that was admitted. It counts in a window that begins before `counts_from`, the latest time it may arrive. */
export type SourceCallsTable = {
  id: GeneratedAlways<number>;
  source: string;
  gtin: string;
  admitted_at: Timestamp;
  counts_from: Timestamp;
};

/** wanted: queued; covered: not asked, because an earlier source has answered everything. */
export type LookupState = 'wanted' | 'asking' | 'hit' | 'miss' | 'failed' | 'covered';

/** A look-up: one row per GTIN and source, with its state and answer. */
export type LookupsTable = {
  gtin: string;
  source: string;
  state: LookupState;
  attempts: Counter;
  not_before: NullableTimestamp;
  asked_at: NullableTimestamp;
  answered_at: NullableTimestamp;
  expires_at: NullableTimestamp;
  /** Whether the answer has been applied to the products that waited for it. */
  applied: Generated<boolean>;
  answer: JsonColumn<SourceAnswer> | null;
  error: ColumnType<string | null, string | null | undefined>;
};

/** Missing fields of a product by its effective values, keyed by its first row. */
export type ProductLacksTable = {
  import_id: string;
  run: number;
  row: number;
  gtin: string;
  fields: string[];
};

/** A found value that the operator takes or dismisses. */
export type ProposalsTable = {
  id: GeneratedAlways<number>;
  import_id: string;
  row: number;
  byte_from: number;
  field: string;
  before: string | null;
  value: string;
  /** 'own', 'rule', 'ai', or the name of a source. */
  source: string;
  /** The GTIN that was looked up; null for rules and AI. */
  gtin: string | null;
  /** A code of the domain's ProposalReason, or a sentence. */
  reason: string;
  attribution: string | null;
  /** The words of the row that the value rests on. */
  evidence: string | null;
  /** What proposals of a group have in common, as shown: 'Wall Art'. Null: it is in no group. */
  group_key: string | null;
  state: Generated<'open' | 'taken' | 'dismissed'>;
  found_at: Timestamp;
  decided_at: NullableTimestamp;
  /** The command that took it, also after its undo. */
  taken_by: ColumnType<string | null, never, string | null>;
  /** The command that took another proposal for the same field. */
  passed_over_by: ColumnType<string | null, never, string | null>;
  /** The command that dismissed it with others. */
  dismissed_by: ColumnType<string | null, never, string | null>;
};
export type ProposalRecord = Selectable<ProposalsTable>;

/** Which store is configured, as the api recorded it. */
export type OutsideAccessTable = {
  singleton: Generated<boolean>;
  /** Pictures are checked then, although no source is switched on. */
  real_store: boolean;
  /** Null: no store is configured. */
  store_url: string | null;
};

/** bad: the store would not accept it; unreachable: it did not answer when it was checked. */
export type ImageState = 'ok' | 'bad' | 'unreachable';

export type ImagesTable = {
  url_hash: Buffer;
  url: string;
  state: ImageState;
  reason: string | null;
  width: number | null;
  height: number | null;
  bytes: number | null;
  checked_at: Timestamp;
};

export type EditsTable = {
  id: GeneratedAlways<number>;
  import_id: string;
  command: string;
  row: number;
  byte_from: number;
  field: string;
  before: string | null;
  /** null undoes the edit: the value from the file (or the found one) applies again. */
  after: string | null;
  /** The source of the proposal that was taken, also if an undo has restored it; null: the operator entered it. */
  source: string | null;
  /** copied: it was made by a command that holds for its list only. */
  of_list: boolean | null;
  /**
   * It carries a value, or none in its place, or restores that: when it was set by hand. Recipes that were ordered
   * later change it, too. Null: it was set in this list.
   */
  set_at: NullableTimestamp;
  edited_at: Timestamp;
};

/**
 * What an operator did: a change of one row, its undo or redo, or edits copied from an earlier import of the same file.
 */
export type EditCommandKind =
  | 'single'
  | 'copied'
  | 'carried'
  | 'proposals'
  | 'bulk'
  | 'recipes'
  | 'corrections'
  | 'undo'
  | 'redo';

/**
 * How far a command is that takes several transactions. It is kept when the command is undone before its end: then
 * nothing can be applied again.
 */
export type CommandProgress = {
  /** search: finds the rows of the target. */
  step: 'search' | 'rows' | 'end';
  /** The last row that the search has read, or the last edit that an undo has restored. */
  at: number;
  /** Rows, or edits, of the next part. */
  batch: number;
  /** Whether pictures have changed. */
  pictured: boolean;
  /** What fill-down takes along from the rows before. */
  carry: Carry | null;
  /** recipes: the same of each step, and the step whose rows are searched. */
  carries?: (Carry | null)[];
  searched?: number;
};

/** The supplier whose values were carried into a list, and the file of the list before; null: there are several. */
export type CarriedFrom = { supplier: number; filename: string | null };

/** Why cells were left as they were, by the contract's names. */
export type LeftCells = Record<string, number>;

/** The first rows of these cells by their numbers in a run, at most three for each reason. */
export type LeftRows = { run: number; rows: Record<string, number[]> };

export type EditCommandsTable = {
  import_id: string;
  id: Generated<string>;
  kind: EditCommandKind;
  /** How many rows the command changed. */
  rows: number;
  /** applying, undoing: a task has not ended it yet. An undo or redo is `applying` meanwhile, too. */
  state: Generated<'applied' | 'undone' | 'applying' | 'undoing'>;
  /** For an undo or redo: the command whose edits it undoes or applies again. */
  undoes: string | null;
  /** The id of a browser, or 'call'; null: no operator, or from before authors were kept. */
  author: string | null;
  /** bulk: what it does, and to which rows, as the operator chose them. recipes: what all its steps do. */
  operations: JsonColumn<Operation[]> | null;
  target: JsonColumn<CommandTarget> | null;
  /** recipes: what it does again, in order, each to rows of its own. */
  steps: ColumnType<CommandStep[] | null, StorableJson | null | undefined, StorableJson>;
  /** bulk, corrections: cells with a later edit of others are left; null: none is. */
  since_edit: number | null;
  /** bulk, corrections, carried, undo, redo: the number of edits; null for those of earlier versions. */
  edits: number | null;
  /** carried: whose values they are, and the last file. undo: those that a change of the supplier has undone. */
  carried: ColumnType<CarriedFrom | null, StorableJson | null | undefined, never>;
  /** copied: the commands of the earlier upload that hold for its list only. */
  copied: ColumnType<ListCommand[] | null, never, never>;
  left_cells: JsonColumn<LeftCells> | null;
  /** Null: none was left, or the version that applied it kept no rows. */
  left_rows: ColumnType<LeftRows | null, StorableJson | null | undefined, StorableJson | null>;
  progress: JsonColumn<CommandProgress> | null;
  created_at: Timestamp;
  ended_at: NullableTimestamp;
};
export type EditCommandRecord = Selectable<EditCommandsTable>;

/**
 * Step 0: rows that a command has yet to change; each block of them is removed when it is done. Others: the rows of
 * each of its steps, as they were before it began.
 */
export type CommandTargetsTable = {
  import_id: string;
  run: number;
  command: string;
  step: Generated<number>;
  block: number;
  /** One '0' or '1' for each row of the block. */
  rows: string;
};

/** How a file of corrections is read. `commas`: columns with decimal commas; `bytes`: of the scanned text. */
export type CorrectionsSource = {
  dialect: Dialect;
  headers: string[];
  commas: number[];
  bytes: number;
  records: number;
};

/**
 * The next record of a file of corrections that is to be compared. `settled`: all were, and what was found in the rows
 * up to this one is put together.
 */
export type RecordAt = { byte: number; line: number; row: number; settled?: number };

/** What was found in a file of corrections so far. */
export type CorrectionsCounts = {
  records: number;
  /** By kind: cells, or rows that could not be compared. */
  lines: Partial<Record<LineKind, number>>;
  /** Rows that change. */
  rows: number;
  /** Cells by field: with a value in the download; that change; of these, that become empty. */
  fields: Partial<Record<CanonicalField, { filled: number; changed: number; emptied: number }>>;
  /** Cells that differ in columns that feed no field, by name. */
  unused: Record<string, number>;
};

/** A file with corrections of an import. `run`: the reading whose rows it was compared with. */
export type CorrectionsTable = {
  id: Generated<string>;
  import_id: string;
  run: number;
  filename: string;
  /** null: the file was removed. */
  object_key: string | null;
  source: JsonColumn<CorrectionsSource>;
  state: Generated<'comparing' | 'compared' | 'applied'>;
  /** null: all records were compared. */
  at: JsonColumn<RecordAt> | null;
  counts: JsonColumn<CorrectionsCounts>;
  /** Cells with a later edit are left. */
  since_edit: number;
  /** What applies its changes, or did so last. */
  command: ColumnType<string | null, never, string>;
  created_at: Timestamp;
};
export type CorrectionsRecord = Selectable<CorrectionsTable>;

/** Rows that a file of corrections has, with a hash of their cells. */
type CorrectionRowsTable = {
  import_id: string;
  corrections: string;
  byte_from: number;
  hash: string;
  /** The file has it several times, with different values. */
  is_ambiguous: Generated<boolean>;
};

/** Cells of a file of corrections that differ, and rows of it that are not compared. `line`: in the file. */
export type CorrectionCellsTable = {
  import_id: string;
  corrections: string;
  line: number;
  row: number | null;
  byte_from: number | null;
  field: CanonicalField | null;
  kind: LineKind;
  before: string | null;
  now: string | null;
  after: string | null;
};

/** Rows that finalize moves to a product whose rows are elsewhere in the file; deleted once that is done. */
export type RowJoinsTable = { import_id: string; run: number; row: number; product: number };

export type ListingsTable = {
  shop: string;
  our_id: string;
  store_product_id: string | null;
  handle: string | null;
  sent: JsonColumn<object> | null;
  sent_hash: string | null;
  /** The product as read after our last write; null: not read yet. */
  baseline: JsonColumn<object> | null;
  baseline_read_at: NullableTimestamp;
  /** Fields of the product to which drift is measured instead of those of the baseline; null: none. */
  kept: JsonColumn<object> | null;
  /** The pushed state of our last write. Its `after` is this listing's baseline while it has none. */
  state_id: number | null;
  sending: JsonColumn<object> | null;
  sending_hash: string | null;
  sending_chunk: number | null;
  /** Whether the write that was begun creates the product; null: begun by an older version. */
  sending_kind: WriteKind | 'undo' | null;
  /** The product as read before the write that was begun; null if it creates the product. */
  sending_before: JsonColumn<object> | null;
  sending_at: NullableTimestamp;
  /** For a call outside of any chunk: until when nobody else takes over what it sends. */
  sending_until: NullableTimestamp;
  /** Values that `sent` was built from, for comparison with the draft that another version builds. */
  source: JsonColumn<object> | null;
  sending_source: JsonColumn<object> | null;
  sending_kept: JsonColumn<object> | null;
  pushed_at: NullableTimestamp;
};
export type WriteKind = 'create' | 'update';

/** The latest claim of a key by a product that is sent, or of a product of the store by its id there. */
export type KeyClaimsTable = {
  shop: string;
  kind: ProductKeyKind | 'product';
  value: string;
  our_id: string;
  /** The import that sends it; null: a call. */
  import_id: string | null;
  /** Who sends it, as `sending_chunk` and `sending_until` of its listing. */
  chunk: number | null;
  until: NullableTimestamp;
  claimed_at: Timestamp;
  /** When it had been sent, or not; null: its sender has not recorded that. */
  ended_at: NullableTimestamp;
};
export type ListingRecord = Selectable<ListingsTable>;

export type OutcomesTable = {
  import_id: string;
  /** The parse run that numbers the product. */
  rows_run: number;
  product: number;
  /** The push run that decided it. */
  run: number;
  our_id: string;
  outcome: Outcome;
  /** Why it was skipped or has failed; null for other outcomes. */
  code: OutcomeCode | null;
  message: string | null;
  store_product_id: string | null;
  decided_at: Timestamp;
};
export type OutcomeRecord = Selectable<OutcomesTable>;

/** A product before and after one of our writes. */
export type PushedStatesTable = {
  id: GeneratedAlways<number>;
  shop: string;
  our_id: string;
  import_id: string | null;
  run: number | null;
  /** Null: recorded by an older version, which also took updates whose response was lost for creations. */
  kind: WriteKind | null;
  /** When the write began: a product that is older was not created by it. */
  begun_at: NullableTimestamp;
  /** As read before an update; null: we created it. */
  before: JsonColumn<object> | null;
  /**
   * As first read after the write. Null: the baseline of the listing with this `state_id` is it; if there is none, it
   * was never read.
   */
  after: JsonColumn<object> | null;
  /** Somebody else's changes between `begun_at` and this time are part of `after`. */
  after_read_at: NullableTimestamp;
  /** The listing's `sent`, `sent_hash` and `source` before the write. */
  sent_before: JsonColumn<object> | null;
  sent_hash_before: string | null;
  source_before: JsonColumn<object> | null;
  /**
   * What the product would have been before an update if nobody else had changed it; empty: not known. Null: nobody
   * had, or an older version recorded it.
   */
  expected_before: JsonColumn<object> | null;
  /** When it was known that the store has the write. */
  written_at: Timestamp;
  undone_at: NullableTimestamp;
};

/** The columns of an import that show its push, as they were before the undo. */
export const undoneColumns = [
  'failed_in',
  'error_message',
  'error_log',
  'error_count',
  'started_at',
  'completed_at',
  'push_total',
  'push_done',
] as const satisfies readonly (keyof ImportRecord)[];
export type UndoneImport = {
  status: ImportStatus;
  columns: Pick<ImportRecord, (typeof undoneColumns)[number]>;
};

/** The facts about the store that a plan was made with, beside its products. */
export type PlanStore = {
  locationId: string | null;
  currency: string;
  collections: { id: string; title: string; smart: boolean }[];
  /** Absent in plans of older versions. */
  canRename?: boolean;
};

/** A column of one kind of previews or of their lines; null in the others. */
type OfKind<Value> = ColumnType<Value, Value | undefined, Value>;
type JsonOfKind<Value> = ColumnType<Value, StorableJson | undefined, StorableJson>;

export type PreviewKind = 'push' | 'undo' | 'gone';

/**
 * What a push of an import would do with each product, or the undo of a push. An import has one preview of each kind;
 * older ones are replaced, and their lines removed.
 */
type PreviewColumns<Kind extends PreviewKind> = {
  id: GeneratedAlways<number>;
  import_id: string;
  kind: Kind;
  /** Products by what is done with them, without choices made since. */
  sums: ColumnType<Record<string, number>, never, StorableJson>;
  /** The points of the store's budget that a plan took, or that carrying an undo out takes. */
  points: Counter;
  started_at: Timestamp;
  /** Null: it is being made, was stopped, or has a problem. */
  previewed_at: NullableTimestamp;
  /** Why it cannot be made, as a sentence; null: no reason was found. */
  problem: string | null;
  replaced_at: NullableTimestamp;
  /** The push run that followed a plan, or that carries an undo out; null: none yet. */
  run: number | null;
};

type PlanColumns = {
  /** The myshopify domain; null before its first part. */
  shop: string | null;
  rows_run: OfKind<number>;
  made_from: JsonOfKind<PlanSettings>;
  /** The last edit before it began; 0 when there was none. */
  last_edit: OfKind<number>;
  /** The last edit before it ended: it may include those since `last_edit`. Null: not ended, or of an older version. */
  edits_until: number | null;
  store: JsonColumn<PlanStore> | null;
  /** When the store's copy was complete that it looked products up in; null: there is none. */
  copied_at: NullableTimestamp;
  decisions: ColumnType<DecisionCounts, never, StorableJson>;
  /** Products whose choice is another one than it was made with. */
  decided_since: Counter;
  /** Those of the points that opening the store took: 0 where a worker had it open. */
  opening_points: Counter;
  /** How long its parts took, without what it waited for between them. */
  work_ms: Counter;
  /** How the push went that followed. */
  compared: JsonColumn<PlanComparison> | null;
};

type UndoColumns = {
  shop: string;
  /** The push run that it undoes. */
  undoes_run: OfKind<number>;
  /** The import's last push run when the preview began. A later push makes it out of date. */
  made_at_run: OfKind<number>;
  when_unsure: OfKind<WhenUnsure>;
  /** The pushed state behind which the preview goes on, from the newest to the oldest; null: it has not begun. */
  position: number | null;
  /** Null: not counted yet. */
  total: number | null;
  /** The operator's choices for all products with a code. */
  choices: ColumnType<Partial<Record<UndoCode, UndoChoice>>, never, StorableJson>;
  recreated_variants: Counter;
  /** The import before the run that carries it out. */
  status_before: JsonColumn<UndoneImport> | null;
  results: ColumnType<UndoSums, never, StorableJson>;
  /** When it was carried out or stopped. */
  ended_at: NullableTimestamp;
};

/** What is done with products that are gone by a supplier's list. */
export type GonePlan = {
  action: GoneAction;
  supplier: number;
  /** The list that counted last, and the one since which items that are gone are missing. */
  list: number;
  until: number;
  /** Those that the operator has ticked; null: all. */
  keys: string[] | null;
  automatic: boolean;
};

type GoneColumns = Pick<
  UndoColumns,
  'made_at_run' | 'position' | 'total' | 'status_before' | 'results' | 'ended_at'
> & { shop: string | null; gone: JsonOfKind<GonePlan> };

export type PreviewsTable = PreviewColumns<PreviewKind> &
  Omit<UndoColumns, 'shop'> &
  PlanColumns &
  Pick<GoneColumns, 'gone'>;
export type PlanRecord = Selectable<PreviewColumns<'push'> & PlanColumns>;
export type PushUndoRecord = Selectable<PreviewColumns<'undo'> & UndoColumns>;
export type GoneRecord = Selectable<PreviewColumns<'gone'> & GoneColumns>;

/** A product of a preview. */
type LineColumns = {
  preview: number;
  /** Of a plan: the number of the product. Of an undo: from 1, the product that was pushed last first. */
  line: number;
  code: string | null;
  message: string | null;
  store_product_id: string | null;
};

type PlanLineColumns = {
  outcome: OfKind<string>;
  /** The parts that the push would change, or that somebody has changed in the store; joined with commas. */
  parts: string | null;
  draft_hash: string | null;
  /** Our id that choices about it have. Null, like all below but `live`: nothing is to be decided. */
  our_id: string | null;
  /** The state that a choice about it is made for. */
  basis: string | null;
  about: ChoiceAbout | null;
  /** The choices that it allows; joined with commas. */
  choices: string | null;
  choice: PushChoice | null;
  /** The choice that it was planned with. */
  planned_choice: PushChoice | null;
  /** After the push: why its outcome was another one. */
  otherwise: Deviation | null;
  /** The store's product, if no listing has it as it is now. It may be large: lists do not read it. */
  live: JsonColumn<object> | null;
};

type UndoLineColumns = {
  our_id: string;
  code: UndoCode | null;
  title: string | null;
  /** What is done with it if no choice is made. */
  action: OfKind<UndoAction>;
  /** Values that stay. */
  kept: JsonColumn<KeptPart[]> | null;
  /** Whether a choice can be made. */
  choosable: OfKind<boolean>;
  choice: UndoChoice | null;
  /** What was done; null: nothing yet. */
  result: UndoAction | null;
  result_code: UndoCode | null;
  result_message: string | null;
};

/** A product that is gone. `keys`: of its items that are; `isWhole`: all of them are; `soldBy`: another supplier. */
export type GoneProduct = {
  keys: string[];
  /** All of its items are gone and chosen. `isListed`: others of its items are listed. */
  isWhole: boolean;
  isListed: boolean;
  /** The supplier whose last list has it; null: no other one's. */
  soldBy: string | null;
};

/** As planned, and as it was done; null: not yet. */
type GoneLineColumns = {
  our_id: string;
  title: string | null;
  items: GoneProduct;
  action: GoneEnd | null;
  code: GoneCode | null;
  result: GoneEnd | null;
  result_code: GoneCode | null;
  result_message: string | null;
};

export type PreviewLinesTable = LineColumns &
  Omit<PlanLineColumns, 'choice'> &
  Omit<UndoLineColumns, 'our_id' | 'code' | 'choice' | 'result' | 'result_code' | 'action'> & {
    choice: PushChoice | UndoChoice | null;
    action: OfKind<UndoAction | GoneEnd | null>;
    result: UndoAction | GoneEnd | null;
    result_code: UndoCode | GoneCode | null;
    items: JsonOfKind<GoneProduct>;
  };
export type GoneLineRecord = Selectable<Omit<LineColumns, 'code'> & GoneLineColumns>;
export type PlanLineRecord = Omit<Selectable<LineColumns & PlanLineColumns>, 'live'>;
export type UndoLineRecord = Selectable<Omit<LineColumns, 'code'> & UndoLineColumns>;

/** Choices of operators about products that a push would skip. */
export type PushChoicesTable = {
  shop: string;
  our_id: string;
  about: ChoiceAbout;
  /** The state that it was made about. */
  basis: string;
  choice: PushChoice;
  /** The import that it was made in. */
  import_id: string;
  created_at: Timestamp;
};

/** When products of a part of a push run were changed in the store, read once for all workers. */
export type StampReadsTable = {
  import_id: string;
  run: number;
  part: number;
  /** Null while a worker reads them. */
  stamps: JsonColumn<Stamps> | null;
  changed_at: Timestamp;
};

/** Time of a product's last change, by its id in the store; null: the store does not have it any more. */
export type Stamps = Record<string, string | null>;

export type LedgerOrigin = 'push' | 'undo' | 'scanner' | 'call' | 'gone';

export type LedgerTable = {
  id: GeneratedAlways<number>;
  origin: LedgerOrigin;
  shop: string;
  our_id: string;
  /** Import, product and run of a push; null where there is none. */
  import_id: string | null;
  product: number | null;
  run: number | null;
  effect: string;
  store_product_id: string | null;
  payload_hash: string | null;
  cause: string | null;
  recorded_at: Timestamp;
};

export type StoreBudgetsTable = {
  shop: string;
  available: number;
  maximum: number;
  restore_rate: number;
  /** Points admitted so far. It only grows, and orders reservations relative to the store's reports. */
  admitted: Generated<number>;
  measured_at: Timestamp;
};

export type PreferencesTable = {
  singleton: Generated<boolean>;
  value: JsonColumn<Partial<Preferences>>;
};

/** The keys of the products that we have pushed to a shop, as keysOf in domain writes them. */
export type ProductKeysTable = {
  shop: string;
  kind: ProductKeyKind;
  value: string;
  our_id: string;
  /** The import that pushed it first; null: no import. */
  import_id: string | null;
  /** Whose list that was; null: nobody's, or not known. */
  supplier: ColumnType<number | null, number | null | undefined>;
};

/** Our copy of a shop's products. */
export type StoreProductsTable = {
  shop: string;
  /** The store's global id. */
  id: string;
  /** Our id, if the store has one with it. */
  our_id: string | null;
  title: string;
  vendor: string;
  type: string;
  status: string;
  handle: string;
  skus: string[];
  gtins: string[];
  /** The first variant's. */
  price: string | null;
  /** Of all variants and locations; null: not read yet. */
  quantity: number | null;
  image: string | null;
  updated_at: Timestamp;
  seen_at: Timestamp;
};

/** The latest sync of a shop's products into our copy. */
export type StoreSyncsTable = {
  shop: string;
  started_at: Timestamp;
  /** After the last page that is stored. */
  cursor: string | null;
  synced: Counter;
  total: number | null;
  /** When its process last stored something: another one continues it when this is old. */
  changed_at: Timestamp;
  /** Null while it runs. */
  ended_at: NullableTimestamp;
  error: string | null;
};
export type StoreSyncRecord = Selectable<StoreSyncsTable>;

export type SettingsTable = {
  singleton: Generated<boolean>;
  value: JsonColumn<Partial<Settings>>;
  /** Counts the saves. */
  version: Generated<number>;
};

/** Credentials of a service, sealed with the key of their purpose. */
export type CredentialsTable = {
  version: GeneratedAlways<number>;
  /** 'shopify', or the name of another service. */
  service: string;
  /** Identifies the key that it was sealed with. */
  key_id: string;
  sealed: Buffer;
  /** shopify: the myshopify domain of the store. */
  shop: string | null;
  /** start: the demo store that `npm start` runs. */
  origin: 'operator' | 'start';
  saved_at: Timestamp;
  /** Null for the current one. A replaced one serves push runs that began with its shop. */
  replaced_at: NullableTimestamp;
};
export type CredentialRecord = Selectable<CredentialsTable>;

/** Stores that products were pushed to. */
export type ShopsTable = {
  shop: string;
  url: string;
  /** The currency of its prices; null until it has been read. */
  currency: string | null;
};

export type SessionsTable = {
  id: string;
  key_fingerprint: string;
  created_at: Timestamp;
  expires_at: Timestamp;
  /** When it was last used, some minutes behind. */
  used_at: Timestamp;
};

export type LoginFailuresTable = { address: string; failed_at: Timestamp };

/** Events of access and configuration, for Settings. Only the newest events of a kind are kept. */
export type SecurityEventsTable = {
  id: GeneratedAlways<number>;
  kind: string;
  at: Timestamp;
  client: string;
  request_id: string;
  detail: string | null;
  import_id: string | null;
};

/** Kind of a process: the api, the worker of watched folders, the keeper of backups, or the worker of a stage. */
export type ProcessKind = 'api' | 'folder-worker' | 'keeper' | `${Stage}-worker`;

export type ProcessesTable = {
  id: string;
  kind: ProcessKind;
  version: string;
  host: string;
  pid: number;
  /** Chunks that it works on at a time; 0 for the api. */
  slots: number;
  started_at: Timestamp;
  /** Its latest heartbeat. */
  seen_at: Timestamp;
  /** When it last began a sweep of its stage. */
  swept_at: NullableTimestamp;
  /** Why it does nothing yet, as a sentence. */
  waiting_for: ColumnType<string | null, string | null | undefined>;
  /** How far its clock was off from that of Postgres at its heartbeat before. */
  clock_skew_ms: Counter;
  /** The connection of its latest heartbeat. */
  backend_pid: number | null;
  backend_start: NullableTimestamp;
  /** Since when no heartbeat was late. */
  answered_since: NullableTimestamp;
  /** Its latest heartbeat, once it is known that it has died without being asked to stop. */
  died_at: NullableTimestamp;
  /** The chunk that it had then, if it had only one. */
  died_with: ColumnType<number | null, number | null | undefined>;
};

/** What all processes counted within ten seconds, by name (domain's tallies). Only those of the last hour are kept. */
export type HealthCountsTable = { at: Timestamp; name: string; count: number };

/** Conditions of the installation (domain's conditions). */
export type ConditionsTable = {
  id: string;
  /** Since when its sign is there; null: it is not. */
  seen_since: NullableTimestamp;
  /** Since when it is in effect; null: it is not. */
  began_at: NullableTimestamp;
  /** When it last ended. */
  ended_at: NullableTimestamp;
  /** What was found last, as a sentence. */
  detail: string | null;
  /** Whether the last message to the webhook said that it is in effect. */
  told: Generated<boolean>;
};

/** A task of an installation, a shop or a folder: one row for each, which stays. */
export type LeasedTasksTable = {
  id: Generated<number>;
  kind: LeasedKind;
  /** The shop or the kind of folder; empty: the installation. */
  subject: Generated<string>;
  /** When it runs next; null: when it is requested. */
  due_at: NullableTimestamp;
  /** The end of the lease of the process that does it; null: none does. */
  held_until: NullableTimestamp;
  /** The number of the latest claim, which fences the writes of a process that lost its lease. */
  claims: Generated<number>;
  /** The process of the latest claim; null: it has not reported itself. */
  held_by: string | null;
  /** How often within an hour its process died while it did only this, or lived and let the lease run out … */
  lost: Generated<number>;
  /** … and when it was first lost. */
  lost_since: NullableTimestamp;
  /** Failed attempts in a row. */
  attempts: Generated<number>;
  waiting_for: string | null;
  /** Why the last attempt failed. */
  error: string | null;
  changed_at: Timestamp;
};

export type LeasedTaskRecord = Selectable<LeasedTasksTable>;

/** Events of imports and of single products, for the dashboard. Only the newest entries are kept. */
export type ActivityTable = {
  id: GeneratedAlways<number>;
  type: ActivityType;
  message: string;
  import_id: string | null;
  created_at: Timestamp;
};

/** Space of the disk with the data at some time in an hour, of the last day. */
export type DiskSamplesTable = { hour: Timestamp; free_bytes: number; total_bytes: number };

/**
 * Counts of an import within an hour. Changed only in transactions that hold the import's lock. The lines of the nil
 * UUID count products that were sent without an import.
 */
export type HourlyCountsTable = {
  hour: Timestamp;
  import_id: string;
  /** 1 in the hour in which the import was processed for the first time. */
  processed_files: Counter;
  failed_imports: Counter;
  created: Counter;
  updated: Counter;
  unchanged: Counter;
  skipped: Counter;
  failed: Counter;
  /** Created products whose push was undone. */
  undone: Counter;
};

/** Added to the sums of hourly_counts by the dashboard: folded lines, less the counts at the reset. */
export type CountOffsetsTable = {
  singleton: Generated<boolean>;
  files_processed: Counter;
  products_created: Counter;
  products_undone: Counter;
  errors: Counter;
};

/** Mapping overrides of an operator, remembered for files with the same or similar headers. */
export type MappingsTable = {
  /** A hash of `headers`. */
  fingerprint: string;
  /** The keys of the file's headers (domain's headerKeys). */
  headers: string[];
  /** The fields that were set, by the column's name; null: the column has no field. */
  columns: JsonColumn<Record<string, CanonicalField | null>>;
  /** How cells are read, by the column's name, as the operator has answered. */
  readings: JsonColumn<Record<string, ColumnAnswers>>;
  /** The suppliers for whose lists these answers were given. */
  suppliers: Generated<number[]>;
  /** The file for which they were set. */
  filename: string;
  created_at: Timestamp;
  /** When an upload last used it; null: not yet. */
  used_at: NullableTimestamp;
  uses: Counter;
};
export type MappingRecord = Selectable<MappingsTable>;

/** Rules that set type, collections and tags, in the order of their positions. */
export type CategoryRulesTable = {
  id: string;
  position: number;
  name: string;
  rule: JsonColumn<Pick<CategoryRule, 'if' | 'set' | 'only'>>;
  enabled: boolean;
  changed_at: Timestamp;
};

/** Layouts (fingerprints of headers, with the columns of title and price) that an operator has pushed. */
export type PushedLayoutsTable = {
  fingerprint: string;
  pushed_at: Timestamp;
  /** The products of the largest such push. */
  products_max: Counter;
  /** Currencies whose amounts the operator sent as they are, each with the store's: 'EUR as USD'. */
  currencies: Generated<string[]>;
};

/** A watched place as its kind has found it; `detail` is in the words of the kind. */
export type WatchedPlace = {
  path: string;
  account: string | null;
  settleMs: number;
  detail: Record<string, unknown>;
};

/** Places whose files become imports by themselves, one line per kind. */
export type WatchSourcesTable = {
  id: Generated<string>;
  kind: FolderKind;
  place: JsonColumn<WatchedPlace> | null;
  /** Identifies the place: a change begins a new baseline. */
  place_key: string | null;
  /** onedrive: where the next look goes on. Stored only together with the files before it. */
  cursor: string | null;
  /** What becomes of the files that were there at the first look: asked is not answered yet. */
  baseline: Generated<'asked' | 'ignored' | 'taken'>;
  state: Generated<FolderState>;
  /** Why it cannot be read, as a sentence; its kind; the technical cause; and since when. */
  trouble: string | null;
  trouble_kind: string | null;
  trouble_cause: string | null;
  trouble_since: NullableTimestamp;
  /** Failed looks in a row. */
  failures: Counter;
  /** Whether files can be moved and deleted there; null: not known. */
  can_write: boolean | null;
  /** local: files at the last look, without those that were moved or deleted since by the worker; null: not known. */
  files: number | null;
  /** onedrive: who is signed in, also before the folder is found; null: nobody, or not known. */
  account: string | null;
  /** Whether it is a simulation on this machine. */
  simulated: Generated<boolean>;
  /** When the operator last asked for a look. */
  asked_at: NullableTimestamp;
  looked_at: NullableTimestamp;
  /** When a look last found a new file. */
  found_at: NullableTimestamp;
  next_look_at: NullableTimestamp;
  /** Not asked until then. */
  blocked_until: NullableTimestamp;
  /** The number of the look that may write. */
  look: Counter;
  /** Until then a look counts as running. */
  look_until: NullableTimestamp;
  changed_at: Timestamp;
};
export type WatchSourceRecord = Selectable<WatchSourcesTable>;

/** Versions of files that were seen in a watched place. */
export type WatchedFilesTable = {
  id: GeneratedAlways<number>;
  source: string;
  place_key: string;
  /** Identifies the file in its place: its name, or its id. */
  file_key: string;
  version: string;
  name: string;
  bytes: number;
  modified_at: NullableTimestamp;
  /** onedrive: for requests that must not meet another version. */
  etag: string | null;
  state: WatchedFileState;
  /** What became of the file itself. */
  option: WatchedFileOption | null;
  option_wanted: 'archive' | 'delete' | null;
  /** Why it was refused, ignored, kept or left, as a sentence. */
  reason: string | null;
  attempts: Counter;
  not_before: NullableTimestamp;
  /** The number of the claim that may write. */
  claim: Counter;
  /** The process that takes it. */
  held_by: string | null;
  /** How often a process died while it took only this file. */
  deaths: Counter;
  /** A process died while it took this file: it is taken last, and by itself. */
  suspected: Generated<boolean>;
  /** Only the release before uses it: the task of its folder holds the file now. */
  claimed_until: NullableTimestamp;
  /** The operator wants it imported although its content arrived before. */
  take_anyway: Generated<boolean>;
  import_id: string | null;
  sha256: string | null;
  /** Its name in the archive. */
  new_key: string | null;
  first_seen_at: Timestamp;
  seen_at: Timestamp;
  changed_at: Timestamp;
  /** refused: included in the activity. */
  summarized: Generated<boolean>;
};
export type WatchedFileRecord = Selectable<WatchedFilesTable>;

/** Sign-ins to OneDrive: one under way at a time, the earlier ones for their messages. */
export type SignInsTable = {
  id: Generated<string>;
  way: 'code' | 'app';
  state: Generated<'asked' | 'code' | 'done' | 'failed' | 'cancelled'>;
  user_code: string | null;
  verification_url: string | null;
  expires_at: NullableTimestamp;
  message: string | null;
  claim: Counter;
  /** Only the release before uses it. */
  claimed_until: NullableTimestamp;
  created_at: Timestamp;
  changed_at: Timestamp;
};
export type SignInRecord = Selectable<SignInsTable>;

/** The library of the Product Scanner. */
export type ScannedProductsTable = {
  /** Made by the client, so that a repeated save is the same product. */
  id: string;
  /** Our id in the store: the id without dashes. */
  own_id: GeneratedAlways<string>;
  name: string;
  description: string;
  /** Decimal text with at least two decimals. */
  price: string;
  sku: string;
  /** As typed or scanned. */
  upc: string | null;
  /** 14 digits; null if `upc` is no GTIN. */
  gtin: string | null;
  dimensions: JsonColumn<Dimensions>;
  weight: JsonColumn<Weight>;
  /** Addresses, in order: '/api/photos/<uuid>', or http(s). */
  photos: string[];
  /** Counts the changes. */
  version: Counter;
  created_at: Timestamp;
  /** When the call arrived that created it. */
  arrived_at: Timestamp;
  changed_at: Timestamp;
  /** The last sync: when, the shop, the version that was sent, and the store's global id. */
  synced_at: NullableTimestamp;
  synced_shop: ColumnType<string | null, never, string | null>;
  synced_version: ColumnType<number | null, never, number | null>;
  store_product_id: ColumnType<string | null, never, string | null>;
  /** Until it is removed, its id cannot be used again. */
  deleted_at: NullableTimestamp;
};
export type ScannedRecord = Selectable<ScannedProductsTable>;

/** Scanned products that were added to an import. They are rows behind the last row of its file, in every run. */
export type AddedRowsTable = {
  import_id: string;
  /** No reference: the rows of an import stay when the product is deleted. */
  product_id: string;
  /** 1, 2, … within the import; the row's offset is the negative number. */
  ordinal: number;
  own_id: string;
  values: JsonColumn<RowValues>;
  /** The product's version when `values` were taken. */
  version: number;
  /** The photos of `values`, which are kept as long as the row. */
  photos: string[];
  added_at: Timestamp;
  /** When `values` were taken. */
  taken_at: Timestamp;
};
export type AddedRowRecord = Selectable<AddedRowsTable>;

/** The AI service that is set in Settings, and limits, prices and state of the one that is asked. One row. */
export type AiServiceTable = {
  singleton: Generated<boolean>;
  /** As entered in Settings; null: none. The environment's address is not stored. */
  base_url: string | null;
  model: string | null;
  /** Counts up when another service, model or key may be asked. */
  version: Counter;
  /** What the service named in `manner_of` takes; null: not tried. */
  structure: 'schema' | 'object' | 'text' | null;
  token_parameter: 'max_tokens' | 'max_completion_tokens' | null;
  manner_of: string | null;
  /** Answers in a row that were not in the form asked for. */
  malformed: Counter;
  /** Per million tokens; null: costs are not known. */
  price_in: number | null;
  price_out: number | null;
  currency: string | null;
  requests_per_minute: Generated<number>;
  tokens_per_day: Generated<number>;
  cost_per_day: number | null;
  import_requests: Generated<number>;
  import_tokens: Generated<number>;
  import_cost: number | null;
  /** Calls at the same time. */
  parallel: Generated<number>;
  timeout_ms: Generated<number>;
  language: string | null;
  tone: string | null;
  blocked_until: NullableTimestamp;
  blocked_because: string | null;
  /** Why nothing is asked before a person has changed something, as a sentence; null: it is asked. */
  trouble: string | null;
  /** Consecutive calls without an answer. */
  failures: Counter;
  /** When it was locked last, about; in the future after the clock was set back. */
  admitted_at: Timestamp;
  changed_at: Timestamp;
};
export type AiServiceRecord = Selectable<AiServiceTable>;

/** A call to the AI service that was admitted. Without `used_…` its reservation counts. */
export type AiCallsTable = {
  id: GeneratedAlways<number>;
  import_id: string | null;
  products: number;
  reserved_in: number;
  reserved_out: number;
  used_in: number | null;
  used_out: number | null;
  /** In the currency of the service, by the prices at the admission; null: there were none. */
  cost: number | null;
  outcome: AiOutcome | null;
  /** The latest time at which it may arrive; after its end, that time. */
  counts_from: Timestamp;
  ended_at: NullableTimestamp;
};
export type AiOutcome = 'ok' | 'declined' | 'malformed' | 'cut' | 'failed' | 'lost';

/** The answer about a product by the hash of what was sent, before any check. */
export type AiAnswersTable = {
  hash: Buffer;
  answer: JsonColumn<object>;
  made_at: Timestamp;
  used_at: Timestamp;
};

/** What an import asks the AI service, and what came of it. */
export type AiImportsTable = {
  import_id: string;
  /** The run of the rows that it is about. */
  run: number;
  /** The service and the model that the operator asks. Empty: it has asked only before these were stored. */
  target: string;
  fields: string[];
  state: 'asking' | 'stopped' | 'done';
  /** Why it is not asking, as a sentence. */
  reason: string | null;
  /** Rows behind this one are still to be looked through for products to ask about; null: none are. */
  collect_after: number | null;
  /** Product types and vendors that answers should use. */
  types: JsonColumn<string[]>;
  vendors: JsonColumn<string[]>;
  /** Products of the next request. */
  batch: Generated<number>;
  /** Answers without trouble since the batch changed. */
  good: Counter;
  proposals: Counter;
  /** Values of answers that were dropped, by cause. */
  refused: JsonColumn<Record<string, number>>;
  begun_at: Timestamp;
};
export type AiImportRecord = Selectable<AiImportsTable>;

/** A product that the AI service is asked about, keyed by its first row. */
export type AiAsksTable = {
  import_id: string;
  byte_from: number;
  row: number;
  fields: AskableField[];
  /** What is sent about it; null once it has been answered. */
  sent: JsonColumn<SentProduct> | null;
  hash: Buffer;
  state: Generated<'wanted' | 'asking' | 'answered' | 'refused' | 'failed'>;
  call: number | null;
  /** Calls without an answer. */
  attempts: Counter;
  /** Calls about this product alone whose answer could not be used. */
  refusals: Counter;
  /** Whether its answer had values for fields that had changed meanwhile. */
  outdated: Generated<boolean>;
  not_before: NullableTimestamp;
  asked_at: NullableTimestamp;
  error: string | null;
};
export type AiAskRecord = Selectable<AiAsksTable>;

/** Backups that were completed. */
export type BackupsTable = {
  taken_at: Timestamp;
  directory: string;
  /** Size of its files; null: it was made by a command, and the keeper does not remove it. */
  bytes: ColumnType<number | null, number | null | undefined>;
  /** When the keeper removed it. */
  removed_at: NullableTimestamp;
  /** When it was restored into a scratch database and compared, and with which result. */
  checked_at: NullableTimestamp;
  check_result: ColumnType<BackupCheck | null, StorableJson | undefined, StorableJson>;
};

/** What a restore of a backup into a scratch database has found. */
export type BackupCheck = {
  tables: number;
  rows: number;
  /** Files and photos whose bytes were compared with their hashes. */
  objects: number;
  seconds: number;
  /** The first differences, as sentences, and how many there are. */
  differences: string[];
  count: number;
  /** Why nothing was restored, as a sentence; null: it was. */
  problem: string | null;
};

/** A comparison of counters, outcomes, ledger and listings. */
export type AuditsTable = {
  id: GeneratedAlways<number>;
  started_at: Timestamp;
  /** Null: it is under way. */
  ended_at: NullableTimestamp;
  /** Where its next part begins. */
  position: JsonColumn<AuditPosition>;
  /** What it has compared so far. */
  imports: Counter;
  products: Counter;
  listings: Counter;
  difference_count: Counter;
  /** The first of them. */
  differences: JsonColumn<AuditDifference[]>;
  /** Why it ended before its end. */
  problem: ColumnType<string | null, string | null | undefined>;
};
export type AuditRecord = Selectable<AuditsTable>;

export type AuditPosition =
  /** The import whose products come next, after `product`. Without one: the next import after `after`. */
  | { step: 'imports'; after: string | null; product: number | null }
  | { step: 'listings'; shop: string; storeProductId: string };

/** Who sends lists. */
export type SuppliersTable = {
  id: GeneratedAlways<number>;
  name: string;
  named_by_operator: Generated<boolean>;
  /** Currencies that the operator agreed to send as they are, as 'EUR as USD'. */
  currencies: Generated<string[]>;
  /** Products of the largest list that an operator has pushed; null: none. */
  products_max: ColumnType<number | null, number | null | undefined>;
  /** When an operator first pushed a list that updates this supplier's own products; null: never. */
  updates_agreed_at: NullableTimestamp;
  /** The number of its newest list, which may be gone: no number is given twice. */
  last_number: Counter;
  /** Below the numbers of its lists; negative where lists of a merged supplier came before its own. */
  first_number: Counter;
  /** Since when it is being merged into another supplier, or deleted; null: it is not. */
  leaves_since: NullableTimestamp;
  merging_into: ColumnType<number | null, number | null | undefined>;
  /** What merges into it have found; null: there were none, or they are not done. */
  merged: ColumnType<MergedSupplier | null, StorableJson | undefined, StorableJson | null>;
  /** What is done with quantities that both its lists and the store have changed; null: that is asked. */
  stock_choice: ColumnType<'use-ours' | 'skip' | null, 'use-ours' | 'skip' | null | undefined>;
  /** Whether each of its lists names all of its products; null: the operator has not said so. */
  sends_complete: ColumnType<boolean | null, boolean | null | undefined>;
  /** A product is no longer listed when so many complete lists in a row lack it. */
  gone_after: Generated<number>;
  /** What full auto does with products that it no longer lists. */
  when_gone: Generated<GoneAction | 'nothing'>;
  /** Limits for the prices in its lists. */
  guard_cost: ColumnType<number | null, number | null | undefined>;
  guard_column: ColumnType<string | null, string | null | undefined>;
  guard_change: ColumnType<number | null, number | null | undefined>;
  created_at: Timestamp;
};
export type SupplierRecord = Selectable<SuppliersTable>;

/** A merge: the other supplier's name, and the keys of different products in both, with the first of them. */
export type MergedSupplier = { name: string; twice: number; keys: string[] };

/** What lists of a supplier have in common, and how many of them have it. */
export type SupplierSignsTable = {
  kind: SupplierSign['kind'];
  value: string;
  supplier: number;
  lists: Counter;
  last_at: Timestamp;
};

/** An import as a version of its supplier's list. `open`: not pushed; `counted`: the items have its content. */
export type SupplierListsTable = {
  supplier: number;
  number: number;
  import_id: string | null;
  filename: string;
  file_at: NullableTimestamp;
  /** Of its file; null for lists of earlier versions. */
  sha256: string | null;
  state: Generated<'open' | 'counted' | 'not counted'>;
  /** The canonical fields that it has. */
  fields: Generated<string[]>;
  /** The number of the counted list that its rows were compared with; null: with none. */
  compared_with: number | null;
  counts: JsonColumn<ListCounts> | null;
  /** What speaks against pushing it unseen. */
  findings: JsonColumn<ListFindings> | null;
  /** The operator's answers about it. */
  answers: ColumnType<ListAnswers, StorableJson | undefined, StorableJson>;
  began_at: Timestamp;
  counted_at: NullableTimestamp;
  /** The parse run whose rows were counted. */
  counted_run: ColumnType<number | null, number | null | undefined>;
  /**
   * Whether what a counted list lacks was taken for missing. False: it is a part, or seems cut off. Null: it is a list
   * of prices and stock, or an earlier version counted it.
   */
  is_complete: ColumnType<boolean | null, undefined, boolean | null>;
  /** When a person planned, or full auto did, something with what is gone by it; then full auto leaves it. */
  gone_acted_at: NullableTimestamp;
};
export type SupplierListRecord = Selectable<SupplierListsTable>;

/**
 * What a supplier's lists name by a key: a row, mostly a variant. It has our id as soon as a list with it was read, and
 * content once such a list counts. A list that renumbers it changes its key; what is said of it names its id.
 */
export type SupplierItemsTable = {
  id: GeneratedAlways<number>;
  supplier: number;
  key: string;
  our_id: string;
  title: string | null;
  hashes: Buffer | null;
  price: number | null;
  quantity: number | null;
  gtin: number | null;
  /**
   * The list that named it first, and the parse run in which it says this; null: it only gave it an id, or the item is
   * older than its versions, and all that lists say of it are versions.
   */
  first_list: number;
  first_run: number | null;
};

/**
 * What a list says of an item in a parse run, where it differs from what the list before it says. It holds while
 * the list counts, by that run, and no list that counted later says anything else.
 */
export type ItemVersionsTable = Pick<
  SupplierItemsTable,
  'supplier' | 'our_id' | 'title' | 'hashes' | 'price' | 'quantity' | 'gtin'
> & {
  item: number;
  list: number;
  run: number;
  /** The list lacks it; the content is that of the list before. */
  missed: Generated<boolean>;
  /** It is this other item as of the list, which has that under another key. */
  same_as: number | null;
  /** Its key before the list, which gives it another one. */
  key_before: string | null;
};

/**
 * What the comparison with the supplier's items says about a row. `item`: the one that it is, also when a later list
 * gives that another key; null: there was none; `our_id`: of its product, on the first row; `change`: bits of the
 * domain's changes.
 */
export type RowItemsTable = {
  import_id: string;
  run: number;
  row: number;
  item: number | null;
  our_id: string | null;
  change: number;
  /** The price of its item before this list, in ten-thousandths; null: it had none, or no item is certain. */
  price_then: ColumnType<number | null, number | null | undefined>;
};

/**
 * A value that the operator has given an item (`subject` is `i:` and its id) or a product (`p:` and our id), or that a
 * row is left out, or that a proposal was dismissed (`field` and a hash of its value). `said_of`: what the supplier's
 * cell said then. Without a value it was taken back.
 */
export type CarriedValuesTable = {
  supplier: number;
  subject: string;
  field: string;
  kind: 'value' | 'left out' | 'dismissed';
  value: string | null;
  said_of: string | null;
  source: string | null;
  said_at: Timestamp;
  /**
   * When the value was set by hand: before `said_at` if an undo has restored it. The epoch: before an upgrade that
   * began to note it. Recipes that were ordered later change it, too.
   */
  set_at: Timestamp;
  /** When it was kept here, or taken back: lists that were read before lack it. */
  kept_at: Timestamp;
  /** The name of the list's file. */
  said_in: string;
  import_id: string;
  /** The import of a newer list that says the same; once that counts, the value ends. */
  settled_in: ColumnType<string | null, never, string | null>;
  /** The parse runs of that which say it. */
  settled_runs: ColumnType<number[] | null, never, never>;
};

/** What was done to a supplier's list by a command, and can be done again to the next one. */
export type SupplierRecipesTable = {
  id: Generated<string>;
  supplier: number;
  operations: ColumnType<Operation[], StorableJson, StorableJson>;
  target: ColumnType<StepTarget, StorableJson, never>;
  /** The columns and fields of that list that it reads. */
  takes: ColumnType<RecipeTakes, StorableJson, StorableJson>;
  asks: ColumnType<RecipeAsks, RecipeAsks | undefined, RecipeAsks>;
  position: number;
  /** Rows that it changed last, of how many, and the file of that list. */
  rows_last: number;
  rows_then: number;
  done_in: string;
  /** The import and the time of its first command, and the time of its latest one. */
  made_in: string;
  made_at: Timestamp;
  done_at: Timestamp;
  /** When the operator last gave its command himself. The epoch: before an upgrade that began to note it. */
  ordered_at: Timestamp;
  /** When it was done to another list than the first; null: never. */
  used_at: NullableTimestamp;
  version: Counter;
};
export type SupplierRecipe = Selectable<SupplierRecipesTable>;

type FileTablesTable = {
  import_id: string;
  tables: JsonColumn<FileTable[]>;
  /** Why pictures of the file are not taken out, as a sentence; null: they all are. */
  pictures_notice: ColumnType<string | null, string | null | undefined>;
};

export type Schema = {
  file_tables: FileTablesTable;
  suppliers: SuppliersTable;
  supplier_signs: SupplierSignsTable;
  supplier_lists: SupplierListsTable;
  supplier_items: SupplierItemsTable;
  item_versions: ItemVersionsTable;
  row_items: RowItemsTable;
  carried_values: CarriedValuesTable;
  supplier_recipes: SupplierRecipesTable;
  imports: ImportsTable;
  import_records: ImportRecordsTable;
  runs: RunsTable;
  chunks: ChunksTable;
  rows: RowsTable;
  row_matches: RowMatchesTable;
  found_values: FoundValuesTable;
  file_pictures: FilePicturesTable;
  picture_matches: PictureMatchesTable;
  sources: SourcesTable;
  source_calls: SourceCallsTable;
  lookups: LookupsTable;
  product_lacks: ProductLacksTable;
  proposals: ProposalsTable;
  images: ImagesTable;
  outside_access: OutsideAccessTable;
  edits: EditsTable;
  edit_commands: EditCommandsTable;
  command_targets: CommandTargetsTable;
  corrections: CorrectionsTable;
  correction_rows: CorrectionRowsTable;
  correction_cells: CorrectionCellsTable;
  row_joins: RowJoinsTable;
  kept_places: KeptPlacesTable;
  deleted_imports: DeletedImportsTable;
  listings: ListingsTable;
  key_claims: KeyClaimsTable;
  outcomes: OutcomesTable;
  ledger: LedgerTable;
  pushed_states: PushedStatesTable;
  previews: PreviewsTable;
  preview_lines: PreviewLinesTable;
  stamp_reads: StampReadsTable;
  push_choices: PushChoicesTable;
  store_budgets: StoreBudgetsTable;
  mappings: MappingsTable;
  category_rules: CategoryRulesTable;
  pushed_layouts: PushedLayoutsTable;
  watch_sources: WatchSourcesTable;
  watched_files: WatchedFilesTable;
  sign_ins: SignInsTable;
  ai_service: AiServiceTable;
  ai_calls: AiCallsTable;
  ai_answers: AiAnswersTable;
  ai_imports: AiImportsTable;
  ai_asks: AiAsksTable;
  scanned_products: ScannedProductsTable;
  added_rows: AddedRowsTable;
  preferences: PreferencesTable;
  product_keys: ProductKeysTable;
  store_products: StoreProductsTable;
  store_syncs: StoreSyncsTable;
  settings: SettingsTable;
  credentials: CredentialsTable;
  shops: ShopsTable;
  sessions: SessionsTable;
  login_failures: LoginFailuresTable;
  security_events: SecurityEventsTable;
  processes: ProcessesTable;
  audits: AuditsTable;
  health_counts: HealthCountsTable;
  conditions: ConditionsTable;
  tasks: LeasedTasksTable;
  activity: ActivityTable;
  hourly_counts: HourlyCountsTable;
  disk_samples: DiskSamplesTable;
  count_offsets: CountOffsetsTable;
  backups: BackupsTable;
};
