import type { Dialect } from '@draftshelf/csv/dialect';
import type { MatchChoice, Preferences } from '@draftshelf/domain/access/preferences';
import type { AutoProcessMode, Settings } from '@draftshelf/domain/access/settings';
import type { CanonicalField, RowValues } from '@draftshelf/domain/base/canonical-fields';
import type { MetafieldDefinition } from '@draftshelf/domain/base/metafields';
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
import type { ImportSource } from '@draftshelf/domain/imports/import-sources';
import type { ImportStatus } from '@draftshelf/domain/imports/import-status';
import type { Outcome, OutcomeCode } from '@draftshelf/domain/imports/outcome';
import type { Stage } from '@draftshelf/domain/imports/stages';
import type { AuditDifference } from '@draftshelf/domain/operate/audit';
import type { Guards } from '@draftshelf/domain/products/guards';
import type { ProductKeyKind } from '@draftshelf/domain/products/product-keys';
import type { CopiedProduct } from '@draftshelf/domain/push/copied-product';
import type { LineFacts } from '@draftshelf/domain/push/line-facts-schema';
import type { DecisionCounts } from '@draftshelf/domain/push/plan-decisions';
import type { ChoiceAbout, PushChoice } from '@draftshelf/domain/push/push-choices';
import type { Deviation, PlanComparison, PlanSettings } from '@draftshelf/domain/push/push-plan';
import type { UndoChoice, UndoCode, WhenUnsure } from '@draftshelf/domain/push/push-undo';
import type { UndoAction, UndoSums } from '@draftshelf/domain/push/undo-actions';
import type { ColumnAnswers } from '@draftshelf/domain/reading/column-questions';
import type { FileTable } from '@draftshelf/domain/reading/file-tables';
import type { HeaderMapping, MappingOverrides } from '@draftshelf/domain/reading/mapping/header-mapping';
import type { LineKind } from '@draftshelf/domain/review/corrections/line-kinds';
import type { IssueSet } from '@draftshelf/domain/review/issue-set';
import type { IssueFilter } from '@draftshelf/domain/review/issues';
import type { commandKinds } from '@draftshelf/domain/review/operations/carried-command';
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
import type { ListPreview, ListSchedule, ListTrouble } from '@draftshelf/domain/suppliers/fetched-list';
import type { GoneAction, GoneCode, GoneEnd } from '@draftshelf/domain/suppliers/gone';
import type { ListAnswers, ListCommand, ListCounts, ListFindings } from '@draftshelf/domain/suppliers/list';
import type { ListAddress, ListSignIn } from '@draftshelf/domain/suppliers/list-address';
import type { SupplierQuestion, SupplierSign } from '@draftshelf/domain/suppliers/propose-supplier';
import type { TaskKind } from '@draftshelf/domain/work/task-catalog';
import type { FoundPicture } from '@draftshelf/workbooks/open-container';
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
  /** Null for imports of earlier versions. */
  same_filename: ColumnType<string | null, string | null | undefined, never>;
  /** The operator's answer about prices in another currency, and the run whose rows it is about. */
  price_answer: 'send' | 'hold' | null;
  price_answer_run: number | null;
  status: ImportStatus;
  starts: Counter;
  paused_from: 'processing' | 'uploading' | null;
  paused_by: 'operator' | 'store' | null;
  resume_at: NullableTimestamp;
  paused_at: NullableTimestamp;
  test_mode: boolean;
  enable_upc: boolean;
  enable_ai: boolean;
  currency: Generated<string>;
  shop: string | null;
  parse_run: Counter;
  enrich_run: Counter;
  push_run: Counter;
  /** The push run being undone; equal to push_run: the run changes products that are gone. */
  undoes_run: number | null;
  rows_run: Counter;
  /** The scanned bytes in which offsets of edits and our ids are counted; null: the bytes of the first run. */
  offsets_in: string | null;
  push_total: Counter;
  push_done: Counter;
  created: Counter;
  updated: Counter;
  unchanged: Counter;
  skipped: Counter;
  failed: Counter;
  /** Skipped products that the store already had under another id when the last push ended. */
  in_store: Counter;
  /** Products that got a found value since the last push began. */
  found_since_push: Counter;
  waiting_for: string | null;
  waiting_until: NullableTimestamp;
  /** Since when the store has refused every request, because it is locked or unpaid. */
  store_refuses_since: NullableTimestamp;
  store_pauses: Counter;
  created_at: Timestamp;
  source: Generated<ImportSource>;
  /** Path in the watched folder, for display; null: uploaded. */
  source_path: string | null;
  /** The setting when the file was taken from a watched folder; null: uploaded. */
  auto_mode: AutoProcessMode | null;
  /** full-auto; null: not decided, pushed, stopped or held. */
  auto_push_at: NullableTimestamp;
  /** full-auto: why it is not pushed by itself, as a sentence; null: it may be, or it was. */
  auto_held: string | null;
  /** Of a watched folder: included in the activity, or left out of it on purpose. */
  summarized: Generated<boolean>;
  /** When retention began to remove its rows. */
  rows_removed_at: NullableTimestamp;
  file_removed_at: NullableTimestamp;
  deletion_began_at: NullableTimestamp;
  /** Null: unknown, or no supplier's list. */
  supplier: ColumnType<number | null, number | null | undefined>;
  supplier_by: ColumnType<SupplierBy | null, SupplierBy | null | undefined>;
  /** A supplier that only the operator can confirm: it has `asked_known` of `asked_sampled` products. */
  asked_supplier: ColumnType<number | null, number | null | undefined>;
  asked_known: ColumnType<number | null, number | null | undefined>;
  asked_sampled: ColumnType<number | null, number | null | undefined>;
  /** Last change of the file, by its folder or its upload; null: unknown. */
  file_at: NullableTimestamp;
  /** Edits up to this id, and proposals decided until this time, are included in the supplier's carried values. */
  edits_kept_to: Counter;
  proposals_kept_to: NullableTimestamp;
  pictures: Counter;
};

/** Counters and results of a parse run. */
export type ImportState = {
  failed_in: Stage | null;
  /** Work chunks of the current stage and run that are neither done nor dead. */
  open_chunks: Counter;
  total_rows: Counter;
  total_products: Counter;
  /** The highest product number. Numbers of joined products remain as gaps. */
  product_numbers: Counter;
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

/** The view import_records. A migration that adds a column to imports recreates the view. */
export type ImportRecordsTable = ImportsTable &
  ImportState & { stage: Generated<Stage>; started_at: NullableTimestamp };
export type ImportRecord = Selectable<ImportRecordsTable>;

/** retry: pushes the products that the last push failed to bring; undo: takes an earlier push back. */
export type RunKind = 'full' | 'reread' | 'retry' | 'undo' | 'gone';

export type RunOptions = {
  onlyOutcomes: Outcome[];
};

export type RunsTable = ImportState & {
  import_id: string;
  stage: Stage;
  run: number;
  kind: Generated<RunKind>;
  options: JsonColumn<RunOptions> | null;
  /** parse: how the file is read and mapped. */
  dialect: JsonColumn<Dialect> | null;
  headers: JsonColumn<string[]> | null;
  mapping: JsonColumn<HeaderMapping> | null;
  /** parse: also overrides for columns that are absent in this reading of the file. */
  mapping_overrides: JsonColumn<MappingOverrides> | null;
  /** parse: the stage of the import, and when that stage was started. */
  import_stage: Generated<Stage>;
  import_started_at: NullableTimestamp;
  /** parse, from the second run on: the status and the last edit when it began; 0: no edit. */
  status_before: ColumnType<ImportStatus | null, ImportStatus | undefined, never>;
  edit_before: ColumnType<number | null, number | undefined, never>;
  draft_mode: boolean | null;
  /** push: for products that the store has under another id; null: as in the preferences. */
  when_in_store: MatchChoice | null;
  /** parse: the store's currency when the run began; null: unknown. */
  currency: string | null;
  /** parse: the supplier chosen by the operator, by id or name; `supplier_by` null: by evidence. */
  supplier: ColumnType<number | null, number | null | undefined>;
  supplier_by: ColumnType<SupplierBy | null, SupplierBy | null | undefined>;
  supplier_name: ColumnType<string | null, string | null | undefined>;
  /** parse: it reads a list of prices and stock of a known supplier; null: it does not, or that is unknown yet. */
  is_partial: ColumnType<boolean | null, undefined>;
  guards: ColumnType<Guards | null, undefined, StorableJson | null>;
  shared_titles: ColumnType<SharedTitles | null, undefined, StorableJson | null>;
  carried_at: NullableTimestamp;
  /** parse: null before finalize has begun. */
  finalize: JsonColumn<FinalizeProgress> | null;
  /** parse: products by field: all, `filled` from file or edit, and `found` by a look-up; null: not looked up. */
  coverage: JsonColumn<Record<string, Record<'products' | 'filled' | 'found', number>>> | null;
  /** parse: without combinations that have no row. */
  facets: ColumnType<RowFacet[], undefined, StorableJson>;
  /** parse: rows of an earlier version or of removed sources, which may lack effective values. */
  lacks_values: Generated<boolean>;
  /** push: null until its first chunk. */
  shop: string | null;
  /** push: begun by full-auto. */
  automatic: Generated<boolean>;
  auto_retries: Counter;
  auto_retry_stopped: Generated<boolean>;
  started_at: Timestamp;
  ended_at: NullableTimestamp;
};
export type RunRecord = Selectable<RunsTable>;

/** Products that share a title, and columns in which they differ as variants do. */
export type SharedTitles = { products: number; columns: string[] };

/** Steps of a parse run: the last two once it is current. */
export type FinalizeStep =
  | 'find supplier'
  | 'group items'
  | 'find joins'
  | 'move joined rows'
  | 'carry offsets'
  | 'leave out rows'
  | 'validate joined rows'
  | 'count products'
  | 'append added rows'
  | 'find items'
  | 'validate items'
  | 'propose statuses'
  | 'carry outcomes'
  | 'apply edits'
  | 'find duplicates'
  | 'keep values'
  | 'carry values';

/** Stored with every batch, so a killed worker loses one. Results for the import wait here until the run is current. */
export type FinalizeProgress = {
  step: FinalizeStep | null;
  at: number;
  /** Edits up to this id are applied to the rows, or the step applies them. */
  editsTo: number;
  /** The import and run whose offsets are carried. `countedIn`: the new offsets_in, if the import is another one. */
  offsets: { import: string; run: number; countedIn: string | null } | null;
  supplier: FoundSupplier;
  /** The number of the supplier's newest list when items were found; null: they are not found yet. */
  lists: number | null;
  earlier: EarlierPushes | null;
  /** Null until the run is current. */
  carried: {
    /** The command with carried values. */
    command: string | null;
    /** The undos of other suppliers' values. */
    undo: string[];
    /** Edits of other lists are kept up to this one. */
    keepTo: number;
  } | null;
  /** The counted list that the rows were compared with, and the result. */
  compared: { list: number; counts: ListCounts; findings: ListFindings } | null;
  /** Its list of another supplier, while items of that list are left. The rows are current. */
  left?: { supplier: number; number: number };
};

export type SupplierBy = 'evidence' | 'operator';

/** The supplier of a list. `id` null: a new one by `name` ('': unnamed), or none. `asked`: for the operator. */
export type FoundSupplier = {
  id: number | null;
  name: string | null;
  by: SupplierBy | null;
  asked: SupplierQuestion | null;
  signs: SupplierSign[];
  /** The highest supplier id when this was found; 0: none. */
  newest: number;
};

/** Imports whose products become items of a supplier, the next one first, and the last product done. */
export type EarlierPushes = { supplier: number; imports: string[]; product: number };

/** finalize: the last step of a run; task: background work on an import, whatever its status. */
export type ChunkKind = 'work' | 'split' | 'finalize' | 'task';
export type ChunkState = 'pending' | 'published' | 'done' | 'dead' | 'dropped';

export type ChunksTable = {
  id: GeneratedAlways<number>;
  import_id: string;
  stage: Stage;
  run: number;
  kind: ChunkKind;
  task: TaskKind | null;
  /**
   * Of a task that belongs to no import: the shop, supplier or kind of folder; empty: the installation. Its import,
   * stage and run are null, although their types say otherwise: background-tasks.ts does not read them.
   */
  subject: ColumnType<string | null, string | null | undefined>;
  sequence: number;
  state: Generated<ChunkState>;
  publication: Generated<number>;
  /** Rank among the published chunks of its import, from 1; the queue delivers low ones first. */
  priority: number | null;
  byte_from: number | null;
  byte_to: number | null;
  first_line: number | null;
  first_row: number | null;
  rows: number | null;
  first_product: number | null;
  products: number | null;
  /** A task's processed rows of `total` (null: unknown). In a push: products decided by earlier claims. */
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
  /** Claims until its last stored progress; these do not count as lost. */
  claims_with_progress: Counter;
  claim_pid: number | null;
  claim_backend_start: NullableTimestamp;
  /** The process of its latest claim. */
  held_by: ColumnType<string | null, string | null | undefined>;
  /** Processes whose unended claims were taken over since the last progress. */
  lost_by: Generated<string[]>;
  error: string | null;
  /** The causeCode of its last failure, until it is done. */
  cause: ColumnType<string | null, string | null | undefined>;
  /** Retries for this cause, including automatic ones. */
  retries: Counter;
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
  joined: Generated<boolean>;
  enrichable: boolean;
  ignored: string | null;
  price: string | null;
  gtin: string | null;
  /** With the names that its product has for them ('Size: S'). */
  options: ColumnType<string[] | null, string[] | null | undefined>;
  /** Sources of effective values that the cells do not give; null: all come from the cells. */
  sources: JsonColumn<Partial<Record<CanonicalField, 'edit' | 'found'>>> | null;
  /** The first row of its product in the file; false for rows joined to another product. */
  is_first: Generated<boolean>;
  /** domain's searchText; null: it is ignored. */
  search: ColumnType<string | null, string | null | undefined>;
  group_key: string | null;
  cells: JSONColumnType<string[]>;
  /** The cells as in the file, if the reader moved them to other columns; null: equal to `cells`. */
  cells_as_read: JSONColumnType<string[]> | null;
  /** On the first row of a product with an id of its own. Null: our-id.ts derives the id. */
  own_id: ColumnType<string | null, string | null | undefined>;
  /** As in the file: key within its supplier's lists, hashes of field groups, price in ten-thousandths, quantity. */
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

/** Places of removed rows, in blocks of row numbers; scanned products have none. `own_ids` null: no row has one. */
export type KeptPlacesTable = {
  import_id: string;
  run: number;
  block: number;
  rows: number[];
  lines: number[];
  offsets: number[];
  own_ids: (string | null)[] | null;
};

/** Deleted imports that were pushed. Their places lead to the same ids when the file arrives again. */
export type DeletedImportsTable = {
  id: string;
  sha256: string;
  /** The run of the kept places, the bytes that it scanned, and the bytes in which its offsets are counted. */
  run: number;
  scanned_in: string;
  counted_in: string;
  /** Rows read; a test import reads only the first ones of its file. */
  total_rows: number;
  deleted_at: Timestamp;
};

type FacetClass = RowClass | 'ignored';

/** An issue; 'any' of them; any with a consequence; 'left-out' of the push; or '' for every row of the class. */
export type FacetIssue = IssueFilter | '';

/** Number of rows with a class and an issue. Ignored rows only count as ignored. */
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
  gtin: ColumnType<string | null, string | null | undefined>;
  attribution: ColumnType<string | null, string | null | undefined>;
  found_at: Timestamp;
};

/** Place in the stored file, as the container's directory says. */
export type PicturePlace = Omit<FoundPicture, 'entry' | 'sheet' | 'line'>;

export type FilePicturesTable = {
  import_id: string;
  /** From 1 in the file; negative: a photo that the operator added. */
  n: number;
  entry: string;
  place: JsonColumn<PicturePlace>;
  /** The sheet's table number and row; null: it has a name only. */
  sheet: number | null;
  line: number | null;
  photo_id: ColumnType<string | null, string | null | undefined>;
  state: Generated<'waiting' | 'stored' | 'refused'>;
  /** Why it was refused, as a sentence. */
  reason: ColumnType<string | null, string | null | undefined>;
};

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
  simulated: Generated<boolean>;
  position: number;
  enabled: boolean;
  per_window: number;
  window_ms: number;
  per_day: number;
  day_ms: number;
  /** Pause before a GTIN is asked again after a call without an answer; it doubles. */
  retry_ms: Generated<number>;
  /** Calls that the source's headers allow until `calls_left_until`; null: no such headers. */
  calls_left: ColumnType<number | null, number | null | undefined>;
  calls_left_until: NullableTimestamp;
  blocked_until: NullableTimestamp;
  blocked_because: ColumnType<string | null, string | null | undefined>;
  failures: Counter;
  /** The approximate time of the last admission; in the future after the clock was set back. */
  admitted_at: Timestamp;
  changed_at: Timestamp;
};
export type SourceRecord = Selectable<SourcesTable>;

/** An admitted call. It counts in windows that begin before `counts_from`, the latest time it may arrive. */
export type SourceCallsTable = {
  id: GeneratedAlways<number>;
  source: string;
  gtin: string;
  admitted_at: Timestamp;
  counts_from: Timestamp;
};

/** wanted: queued; covered: not asked, because an earlier source has answered everything. */
export type LookupState = 'wanted' | 'asking' | 'hit' | 'miss' | 'failed' | 'covered';

export type LookupsTable = {
  gtin: string;
  source: string;
  state: LookupState;
  attempts: Counter;
  not_before: NullableTimestamp;
  asked_at: NullableTimestamp;
  answered_at: NullableTimestamp;
  expires_at: NullableTimestamp;
  /** Applied to the products that waited for it. */
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
  /** Null for rules and AI. */
  gtin: string | null;
  /** A code of the domain's ProposalReason, or a sentence. */
  reason: string;
  attribution: string | null;
  /** The words of the row that the value rests on. */
  evidence: string | null;
  /** Common to the proposals of a group, as shown: 'Wall Art'; null: no group. */
  group_key: string | null;
  state: Generated<'open' | 'taken' | 'dismissed'>;
  found_at: Timestamp;
  decided_at: NullableTimestamp;
  /** Also set after an undo of the command. */
  taken_by: ColumnType<string | null, never, string | null>;
  passed_over_by: ColumnType<string | null, never, string | null>;
  dismissed_by: ColumnType<string | null, never, string | null>;
};
export type ProposalRecord = Selectable<ProposalsTable>;

/** The configured store, as the api recorded it. */
export type OutsideAccessTable = {
  singleton: Generated<boolean>;
  /** Pictures are then checked even if no source is switched on. */
  real_store: boolean;
  store_url: string | null;
};

/** bad: the store would not accept it. */
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
  /** Null undoes the edit: the value from the file (or the found one) applies again. */
  after: string | null;
  /** Source of the taken proposal, also after an undo restored it; null: the operator entered it. */
  source: string | null;
  /** copied: made by a command that holds for its list only. */
  of_list: boolean | null;
  /** When a carried value was set by hand; recipes ordered later change it. Null: set in this list. */
  set_at: NullableTimestamp;
  edited_at: Timestamp;
};

export type EditCommandKind = (typeof commandKinds)[number] | 'undo' | 'redo';

/** Progress of a long command. It stays after an undo before the end: then nothing can be applied again. */
export type CommandProgress = {
  step: 'search' | 'rows';
  at: number;
  batch: number;
  pictured: boolean;
  /** Values that fill-down takes from earlier rows. */
  carry: Carry | null;
  /** recipes: `carry` per step; index of the step being searched. */
  carries?: (Carry | null)[];
  searched?: number;
};

/** The supplier whose values were carried into a list, and the previous list's file; null: several. */
export type CarriedFrom = { supplier: number; filename: string | null };

/** Counts of unchanged cells by reason, in the contract's names. */
export type LeftCells = Record<string, number>;

/** The first rows of left cells, at most three per reason. */
export type LeftRows = { run: number; rows: Record<string, number[]> };

export type EditCommandsTable = {
  import_id: string;
  id: Generated<string>;
  kind: EditCommandKind;
  rows: number;
  /** applying, undoing: a task has not ended it yet. Also an undo or redo is `applying` meanwhile. */
  state: Generated<'applied' | 'undone' | 'applying' | 'undoing'>;
  /** undo, redo: the command whose edits are undone or applied again. */
  undoes: string | null;
  /** The id of a browser, or 'call'; null: no operator, or older than the column. */
  author: string | null;
  /** bulk: as the operator chose them. recipes: the operations of all steps. */
  operations: JsonColumn<Operation[]> | null;
  target: JsonColumn<CommandTarget> | null;
  steps: ColumnType<CommandStep[] | null, StorableJson | null | undefined, StorableJson>;
  /** bulk, corrections: cells that somebody else edited later are left; null: none is. */
  since_edit: number | null;
  /** bulk, corrections, carried, undo, redo; null: an earlier version. */
  edits: number | null;
  /** carried: the supplier and its last file. undo: values undone by a change of the supplier. */
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

/** Step 0: rows yet to change; each block is removed when done. Others: rows of each step before the command. */
export type CommandTargetsTable = {
  import_id: string;
  run: number;
  command: string;
  step: Generated<number>;
  block: number;
  rows: string;
};

/** The reading of a file of corrections. `commas`: columns with decimal commas; `bytes`: of the scanned text. */
export type CorrectionsSource = {
  dialect: Dialect;
  headers: string[];
  commas: number[];
  bytes: number;
  records: number;
};

/** Next record of a file of corrections. `settled`: all were compared; results are merged up to this row. */
export type RecordAt = { byte: number; line: number; row: number; settled?: number };

export type CorrectionsCounts = {
  records: number;
  /** By kind: cells, or rows that could not be compared. */
  lines: Partial<Record<LineKind, number>>;
  rows: number;
  /** Cells by field: with a value in the download; changed; changed to empty. */
  fields: Partial<Record<CanonicalField, { filled: number; changed: number; emptied: number }>>;
  /** Cells that differ in columns that feed no field, by name. */
  unused: Record<string, number>;
};

/** `run`: the reading whose rows it was compared with. */
export type CorrectionsTable = {
  id: Generated<string>;
  import_id: string;
  run: number;
  filename: string;
  /** Null: the file was removed. */
  object_key: string | null;
  source: JsonColumn<CorrectionsSource>;
  state: Generated<'comparing' | 'compared' | 'applied'>;
  at: JsonColumn<RecordAt> | null;
  counts: JsonColumn<CorrectionsCounts>;
  since_edit: number;
  /** The latest command that applies its changes. */
  command: ColumnType<string | null, never, string>;
  created_at: Timestamp;
};
export type CorrectionsRecord = Selectable<CorrectionsTable>;

/** Rows of a file of corrections, with a hash of their cells. */
type CorrectionRowsTable = {
  import_id: string;
  corrections: string;
  byte_from: number;
  hash: string;
  /** The row occurs again with different values. */
  is_ambiguous: Generated<boolean>;
};

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

/** Rows that finalize moves to a product elsewhere in the file; deleted once that is done. */
export type RowJoinsTable = { import_id: string; run: number; row: number; product: number };

export type ListingsTable = {
  shop: string;
  our_id: string;
  store_product_id: string | null;
  handle: string | null;
  sent: JsonColumn<object> | null;
  sent_hash: string | null;
  /** Null: not read yet. */
  baseline: JsonColumn<object> | null;
  baseline_read_at: NullableTimestamp;
  /** Fields whose drift is measured from these values instead of the baseline. */
  kept: JsonColumn<object> | null;
  /** The pushed state of our last write. Its `after` is this listing's baseline while it has none. */
  state_id: number | null;
  sending: JsonColumn<object> | null;
  sending_hash: string | null;
  sending_chunk: number | null;
  /** Null: begun by an older version. */
  sending_kind: WriteKind | 'undo' | null;
  /** Null if it creates the product. */
  sending_before: JsonColumn<object> | null;
  sending_at: NullableTimestamp;
  /** For a call outside any chunk: until then no other process takes over its write. */
  sending_until: NullableTimestamp;
  /** Values that `sent` was built from, for comparison with the draft that another version builds. */
  source: JsonColumn<object> | null;
  sending_source: JsonColumn<object> | null;
  sending_kept: JsonColumn<object> | null;
  pushed_at: NullableTimestamp;
};
export type WriteKind = 'create' | 'update';

/** The latest claim of a key by a product that is sent, or of a store product by its id. */
export type KeyClaimsTable = {
  shop: string;
  kind: ProductKeyKind | 'product';
  value: string;
  our_id: string;
  /** Null: a call. */
  import_id: string | null;
  /** The sender, as `sending_chunk` and `sending_until` of its listing. */
  chunk: number | null;
  until: NullableTimestamp;
  claimed_at: Timestamp;
  /** When the send finished; null while unknown. */
  ended_at: NullableTimestamp;
};
export type ListingRecord = Selectable<ListingsTable>;

export type OutcomesTable = {
  import_id: string;
  rows_run: number;
  product: number;
  run: number;
  our_id: string;
  outcome: Outcome;
  code: OutcomeCode | null;
  message: string | null;
  store_product_id: string | null;
  decided_at: Timestamp;
};
export type OutcomeRecord = Selectable<OutcomesTable>;

export type PushedStatesTable = {
  id: GeneratedAlways<number>;
  shop: string;
  our_id: string;
  import_id: string | null;
  run: number | null;
  /** Null: an older version, which also took updates whose response was lost for creations. */
  kind: WriteKind | null;
  /** When the write began: a product that is older was not created by it. */
  begun_at: NullableTimestamp;
  /** As read before an update; null: we created it. */
  before: JsonColumn<object> | null;
  /** First read after the write. Null: the baseline of the listing with this `state_id`, else never read. */
  after: JsonColumn<object> | null;
  /** Changes by others between `begun_at` and this time are part of `after`. */
  after_read_at: NullableTimestamp;
  /** The listing's `sent`, `sent_hash` and `source` before the write. */
  sent_before: JsonColumn<object> | null;
  sent_hash_before: string | null;
  source_before: JsonColumn<object> | null;
  /** Expected state before an update that overwrote changes by others; empty: unknown; null: no such changes. */
  expected_before: JsonColumn<object> | null;
  /** When the store was known to have the write. */
  written_at: Timestamp;
  undone_at: NullableTimestamp;
};

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

export type PlanStore = {
  locationId: string | null;
  currency: string;
  collections: { id: string; title: string; smart: boolean }[];
  /** Absent in plans of older versions. */
  canRename?: boolean;
};

/** A column of one kind of previews; null in the others. */
type OfKind<Value> = ColumnType<Value, Value | undefined, Value>;
type JsonOfKind<Value> = ColumnType<Value, StorableJson | undefined, StorableJson>;

export type PreviewKind = 'push' | 'undo' | 'gone';

/** A new preview of the same import and kind replaces this one and removes its lines. */
type PreviewColumns<Kind extends PreviewKind> = {
  id: GeneratedAlways<number>;
  import_id: string;
  kind: Kind;
  sums: ColumnType<Record<string, number>, never, StorableJson>;
  /** Points of the store's budget that a plan took, or that carrying an undo out takes. */
  points: Counter;
  started_at: Timestamp;
  /** Null: it is being made, was stopped, or has a problem. */
  previewed_at: NullableTimestamp;
  /** Why it cannot be made, as a sentence. */
  problem: string | null;
  replaced_at: NullableTimestamp;
  run: number | null;
};

type PlanColumns = {
  /** Null before its first part. */
  shop: string | null;
  rows_run: OfKind<number>;
  made_from: JsonOfKind<PlanSettings>;
  /** The last edit before it began; 0: none. */
  last_edit: OfKind<number>;
  /** The last edit before it ended: it may include edits since `last_edit`. Null: not ended, or an older version. */
  edits_until: number | null;
  store: JsonColumn<PlanStore> | null;
  /** When the store's copy, in which it looked up products, was complete; null: no copy. */
  copied_at: NullableTimestamp;
  decisions: ColumnType<DecisionCounts, never, StorableJson>;
  /** Products whose choice has changed since. */
  decided_since: Counter;
  /** Points that opening the store took; 0 if a worker had it open. */
  opening_points: Counter;
  /** Without the waits between its parts. */
  work_ms: Counter;
  compared: JsonColumn<PlanComparison> | null;
};

type UndoColumns = {
  shop: string;
  undoes_run: OfKind<number>;
  made_at_run: OfKind<number>;
  when_unsure: OfKind<WhenUnsure>;
  /** The last previewed pushed state, from the newest to the oldest; null: not begun. */
  position: number | null;
  total: number | null;
  choices: ColumnType<Partial<Record<UndoCode, UndoChoice>>, never, StorableJson>;
  recreated_variants: Counter;
  status_before: JsonColumn<UndoneImport> | null;
  results: ColumnType<UndoSums, never, StorableJson>;
  ended_at: NullableTimestamp;
};

/** Handling of products that a supplier's list no longer has. */
export type GonePlan = {
  action: GoneAction;
  supplier: number;
  /** The list that counted last, and the one since which gone items are missing. */
  list: number;
  until: number;
  /** Keys that the operator has ticked; null: all. */
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

/** A product of a preview. Values that SQL does not filter, sort or join by are facts, unless all kinds have them. */
export type PreviewLinesTable = {
  preview: number;
  /** Of a plan: the product number. Of an undo: from 1, in reverse order of the push. */
  line: number;
  /** Null in a plan: nothing is to be decided. */
  our_id: string | null;
  store_product_id: string | null;
  /** Null in a plan, because edits may change it. */
  title: string | null;
  /** The plan without a choice: of a push the outcome. Null: not planned yet. */
  action: string | null;
  code: string | null;
  message: string | null;
  /** Joined with commas; null: nothing is to be decided. */
  choices: string | null;
  choice: PushChoice | UndoChoice | null;
  /** Null: not done yet. The results of a plan are outcomes. */
  result: UndoAction | GoneEnd | null;
  result_code: UndoCode | GoneCode | null;
  result_message: string | null;
  /** Null in an undo, and of products that are gone, like all below but `facts`. */
  about: ChoiceAbout | null;
  basis: string | null;
  planned_choice: PushChoice | null;
  /** After the push: why its outcome differed from the plan. */
  otherwise: Deviation | null;
  /** The lower, the larger the change. */
  change_rank: number | null;
  /** The store's product, if no listing has its current state. It may be large, and lists read all facts. */
  live: JsonColumn<object> | null;
  facts: ColumnType<object, StorableJson | undefined, StorableJson>;
};

type LineOf<Kind extends PreviewKind, Own> = Omit<
  Selectable<PreviewLinesTable>,
  keyof Own | 'live' | 'facts'
> &
  Own & { facts: LineFacts[Kind] };
/** Planned action and result of a product, with their reasons. */
type ChangeColumns<Action, Planned, Code> = {
  our_id: string;
  action: Planned;
  code: Code | null;
  result: Action | null;
  result_code: Code | null;
};
export type PlanLineRecord = LineOf<'push', { action: Outcome; choice: PushChoice | null }>;
export type UndoLineRecord = LineOf<
  'undo',
  ChangeColumns<UndoAction, UndoAction, UndoCode> & { choice: UndoChoice | null }
>;
export type GoneLineRecord = LineOf<'gone', ChangeColumns<GoneEnd, GoneEnd | null, GoneCode>>;
export type LineRecord = { push: PlanLineRecord; undo: UndoLineRecord; gone: GoneLineRecord };

export type PushChoicesTable = {
  shop: string;
  our_id: string;
  about: ChoiceAbout;
  basis: string;
  choice: PushChoice;
  import_id: string;
  created_at: Timestamp;
};

/** Change times in the store of the products of a part of a push run, read once for all workers. */
export type StampReadsTable = {
  import_id: string;
  run: number;
  part: number;
  stamps: JsonColumn<Stamps> | null;
  changed_at: Timestamp;
};

/** Time of a product's last change, by its id in the store; null: the store no longer has it. */
export type Stamps = Record<string, string | null>;

export type LedgerOrigin = 'push' | 'undo' | 'scanner' | 'call' | 'gone';

export type LedgerTable = {
  id: GeneratedAlways<number>;
  origin: LedgerOrigin;
  shop: string;
  our_id: string;
  /** Null where there is none. */
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

/** Written by domain's keysOf. */
export type ProductKeysTable = {
  shop: string;
  kind: ProductKeyKind;
  value: string;
  our_id: string;
  /** The import that pushed it first; null: no import. */
  import_id: string | null;
  /** Null: no supplier's list, or unknown. */
  supplier: ColumnType<number | null, number | null | undefined>;
};

export type StoreProductsTable = Omit<CopiedProduct, 'ourId' | 'updatedAt'> & {
  shop: string;
  our_id: string | null;
  updated_at: Timestamp;
  seen_at: Timestamp;
};

export type StoreSyncsTable = {
  shop: string;
  started_at: Timestamp;
  cursor: string | null;
  synced: Counter;
  total: number | null;
  /** When its process last stored something: another one continues it when this is old. */
  changed_at: Timestamp;
  ended_at: NullableTimestamp;
  error: string | null;
};
export type StoreSyncRecord = Selectable<StoreSyncsTable>;

/** The store category chosen for a supplier's own category. `supplier` 0: files without a supplier. */
export type CategoryChoicesTable = { supplier: number; path: string; id: string; name: string };

export type MetafieldDefinitionsTable = {
  shop: string;
  namespace: string;
  key: string;
  name: string;
  description: string | null;
  type: string;
  validations: JsonColumn<MetafieldDefinition['validations']>;
};

export type SettingsTable = {
  singleton: Generated<boolean>;
  value: JsonColumn<Partial<Settings>>;
  /** Number of saves of `value`. */
  version: Generated<number>;
  preferences: Generated<JsonColumn<Partial<Preferences>>>;
};

/** Credentials of a service, sealed with the key of their purpose. */
export type CredentialsTable = {
  version: GeneratedAlways<number>;
  /** 'shopify', or the name of another service. */
  service: string;
  /** Identifies the key that it was sealed with. */
  key_id: string;
  sealed: Buffer;
  /** shopify only. */
  shop: string | null;
  /** start: the demo store that `npm start` runs. */
  origin: 'operator' | 'start';
  saved_at: Timestamp;
  /** Null for the current one. A replaced one serves push runs that began with its shop. */
  replaced_at: NullableTimestamp;
};
export type CredentialRecord = Selectable<CredentialsTable>;

export type ShopsTable = {
  shop: string;
  url: string;
  /** Null until it has been read. */
  currency: string | null;
};

export type SessionsTable = {
  id: string;
  key_fingerprint: string;
  created_at: Timestamp;
  expires_at: Timestamp;
  /** Some minutes behind. */
  used_at: Timestamp;
};

export type LoginFailuresTable = { address: string; failed_at: Timestamp };

export type SecurityEventsTable = {
  id: GeneratedAlways<number>;
  kind: string;
  at: Timestamp;
  client: string;
  request_id: string;
  detail: string | null;
  import_id: string | null;
};

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
  seen_at: Timestamp;
  swept_at: NullableTimestamp;
  /** Why it does nothing yet, as a sentence. */
  waiting_for: ColumnType<string | null, string | null | undefined>;
  /** Difference of its clock from that of Postgres at the previous heartbeat. */
  clock_skew_ms: Counter;
  backend_pid: number | null;
  backend_start: NullableTimestamp;
  answered_since: NullableTimestamp;
  /** Its latest heartbeat, once it is known to have died without being asked to stop. */
  died_at: NullableTimestamp;
  /** The only chunk that it held then; null: none or several. */
  died_with: ColumnType<number | null, number | null | undefined>;
};

/** Counts of all processes within ten seconds, by name (domain's tallies). */
export type HealthCountsTable = { at: Timestamp; name: string; count: number };

export type ConditionsTable = {
  id: string;
  /** Since when its sign is there; null: it is not. */
  seen_since: NullableTimestamp;
  /** Since when it is in effect; null: it is not. */
  began_at: NullableTimestamp;
  ended_at: NullableTimestamp;
  /** The latest finding, as a sentence. */
  detail: string | null;
  /** Whether the last webhook message reported it as in effect. */
  told: Generated<boolean>;
};

export type ActivityTable = {
  id: GeneratedAlways<number>;
  type: ActivityType;
  message: string;
  import_id: string | null;
  created_at: Timestamp;
};

/** At some time in the hour. */
export type DiskSamplesTable = { hour: Timestamp; free_bytes: number; total_bytes: number };

/** Changed only under the import's lock. The nil UUID counts products sent without an import. */
export type HourlyCountsTable = {
  /** -infinity: a line of folded counts, less the counts at the reset. */
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
  undone: Counter;
};

export type MappingsTable = {
  fingerprint: string;
  /** The keys of the file's headers (domain's headerKeys). */
  headers: string[];
  /** By the column's name; null: the column has no field. */
  columns: JsonColumn<Record<string, CanonicalField | null>>;
  /** The operator's answers about reading cells, by the column's name. */
  readings: JsonColumn<Record<string, ColumnAnswers>>;
  suppliers: Generated<number[]>;
  filename: string;
  created_at: Timestamp;
  used_at: NullableTimestamp;
  uses: Counter;
};
export type MappingRecord = Selectable<MappingsTable>;

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
  products_max: Counter;
  /** Currencies whose amounts were sent unconverted, each with the store's: 'EUR as USD'. */
  currencies: Generated<string[]>;
};

/** `detail` is in the terms of the kind. */
export type WatchedPlace = {
  path: string;
  account: string | null;
  settleMs: number;
  detail: Record<string, unknown>;
};

export type WatchSourcesTable = {
  id: Generated<string>;
  kind: FolderKind;
  place: JsonColumn<WatchedPlace> | null;
  /** A change begins a new baseline. */
  place_key: string | null;
  /** onedrive: where the next look continues. Stored only together with the files before it. */
  cursor: string | null;
  /** Files found at the first look; asked: the operator has not answered. */
  baseline: Generated<'asked' | 'ignored' | 'taken'>;
  state: Generated<FolderState>;
  /** Why it cannot be read, as a sentence; its kind; the technical cause; and since when. */
  trouble: string | null;
  trouble_kind: string | null;
  trouble_cause: string | null;
  trouble_since: NullableTimestamp;
  failures: Counter;
  /** Whether files can be moved and deleted there; null: unknown. */
  can_write: boolean | null;
  /** local: files at the last look, minus files that the worker has moved or deleted since; null: unknown. */
  files: number | null;
  /** onedrive: the signed-in account, known before the folder is. */
  account: string | null;
  simulated: Generated<boolean>;
  asked_at: NullableTimestamp;
  looked_at: NullableTimestamp;
  found_at: NullableTimestamp;
  next_look_at: NullableTimestamp;
  blocked_until: NullableTimestamp;
  look: Counter;
  look_until: NullableTimestamp;
  changed_at: Timestamp;
};
export type WatchSourceRecord = Selectable<WatchSourcesTable>;

export type WatchedFilesTable = {
  id: GeneratedAlways<number>;
  source: string;
  place_key: string;
  /** Its name, or its id. */
  file_key: string;
  version: string;
  name: string;
  bytes: number;
  modified_at: NullableTimestamp;
  /** No longer written. */
  etag: string | null;
  state: WatchedFileState;
  option: WatchedFileOption | null;
  option_wanted: 'archive' | 'delete' | null;
  reason: string | null;
  attempts: Counter;
  not_before: NullableTimestamp;
  claim: Counter;
  held_by: string | null;
  /** Number of processes that died while they took only this file. */
  deaths: Counter;
  /** A process died while it took this file: it is taken last, and by itself. */
  suspected: Generated<boolean>;
  /** The operator imports it although its content arrived before. */
  take_anyway: Generated<boolean>;
  import_id: string | null;
  sha256: string | null;
  new_key: string | null;
  first_seen_at: Timestamp;
  seen_at: Timestamp;
  changed_at: Timestamp;
  /** refused: included in the activity. */
  summarized: Generated<boolean>;
};
export type WatchedFileRecord = Selectable<WatchedFilesTable>;

/** Addresses of suppliers' lists. Secrets are credentials of the service `feed:<id>`. */
export type FeedsTable = {
  id: Generated<string>;
  /** test: the supplier whose lists its list is compared with; null: none. */
  supplier: number | null;
  /** test: an address being tried, which brings no import; on: the address of its supplier's lists. */
  state: Generated<'test' | 'on'>;
  kind: ListAddress['kind'];
  /** The address without secrets. */
  shown: string;
  host: string;
  sign_in: ListSignIn['kind'];
  /** sftp: the SHA-256 of the key that the server showed at the test. */
  host_key: string | null;
  schedule: JsonColumn<ListSchedule> | null;
  zone: Generated<string>;
  /** Of the last list: the server's marks, and hashes of its bytes and of its rows. */
  etag: string | null;
  last_modified: string | null;
  sha256: string | null;
  rows_hash: string | null;
  last_import: string | null;
  /** When an operator asked for a fetch; null: no request is open. */
  asked_at: NullableTimestamp;
  /** When it was last fetched without trouble, and when a fetch last brought a list. */
  fetched_at: NullableTimestamp;
  found_at: NullableTimestamp;
  /** Null: it is being fetched, or only by hand. */
  next_fetch_at: NullableTimestamp;
  failures: Counter;
  trouble: string | null;
  trouble_kind: ListTrouble | null;
  trouble_cause: string | null;
  trouble_since: NullableTimestamp;
  /** test: the result. */
  preview: JsonColumn<ListPreview> | null;
  /** Full auto pushes its lists. */
  runs_itself: Generated<boolean>;
  /** When full auto began or ended here, and why it ended, as a sentence. */
  itself_at: NullableTimestamp;
  itself_ended: string | null;
  created_at: Timestamp;
};
export type FeedRecord = Selectable<FeedsTable>;

/** Results of fetches of an address. Fetches without a change make no line. */
export type FeedFetchesTable = {
  id: GeneratedAlways<number>;
  feed: string;
  at: Timestamp;
  result: 'taken' | 'same' | 'failed';
  import_id: string | null;
  sentence: string | null;
  cause: string | null;
  /** A newer list came before anybody worked on its import. */
  replaced: Generated<boolean>;
  /** Its push was planned before anybody worked on it. */
  planned: Generated<boolean>;
  /** Whether it was pushed as planned; unknown: there was no plan to compare with. */
  agreed: 'equal' | 'different' | 'unknown' | null;
};
export type FeedFetchRecord = Selectable<FeedFetchesTable>;

/** Sign-ins to OneDrive: one at a time; earlier ones stay for their messages. */
export type SignInsTable = {
  id: Generated<string>;
  way: 'code' | 'app';
  state: Generated<'asked' | 'code' | 'done' | 'failed' | 'cancelled'>;
  user_code: string | null;
  verification_url: string | null;
  expires_at: NullableTimestamp;
  message: string | null;
  claim: Counter;
  created_at: Timestamp;
  changed_at: Timestamp;
};
export type SignInRecord = Selectable<SignInsTable>;

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
  arrived_at: Timestamp;
  changed_at: Timestamp;
  /** The last sync: when, the shop, the sent version, and the store's global id. */
  synced_at: NullableTimestamp;
  synced_shop: ColumnType<string | null, never, string | null>;
  synced_version: ColumnType<number | null, never, number | null>;
  store_product_id: ColumnType<string | null, never, string | null>;
  /** Until it is removed, its id cannot be used again. */
  deleted_at: NullableTimestamp;
};
export type ScannedRecord = Selectable<ScannedProductsTable>;

/** Scanned products added to an import: rows behind the last row of its file, in every run. */
export type AddedRowsTable = {
  import_id: string;
  /** No reference: the rows of an import stay when the product is deleted. */
  product_id: string;
  /** 1, 2, … within the import; the row's offset is the negative number. */
  ordinal: number;
  own_id: string;
  values: JsonColumn<RowValues>;
  version: number;
  /** The photos of `values`, which are kept as long as the row. */
  photos: string[];
  added_at: Timestamp;
  taken_at: Timestamp;
};
export type AddedRowRecord = Selectable<AddedRowsTable>;

/** The AI service of Settings; limits, prices and state of the one in use. One row. */
export type AiServiceTable = {
  singleton: Generated<boolean>;
  /** As entered in Settings. The environment's address is not stored. */
  base_url: string | null;
  model: string | null;
  /** Counts up when another service, model or key may be asked. */
  version: Counter;
  /** Supported by the service named in `manner_of`; null: not tried. */
  structure: 'schema' | 'object' | 'text' | null;
  token_parameter: 'max_tokens' | 'max_completion_tokens' | null;
  manner_of: string | null;
  malformed: Counter;
  /** Per million tokens; null: costs are unknown. */
  price_in: number | null;
  price_out: number | null;
  currency: string | null;
  requests_per_minute: Generated<number>;
  tokens_per_day: Generated<number>;
  cost_per_day: number | null;
  import_requests: Generated<number>;
  import_tokens: Generated<number>;
  import_cost: number | null;
  parallel: Generated<number>;
  timeout_ms: Generated<number>;
  language: string | null;
  tone: string | null;
  blocked_until: NullableTimestamp;
  blocked_because: string | null;
  /** The reason, as a sentence, why a person has to act before anything is asked. */
  trouble: string | null;
  failures: Counter;
  /** The approximate time of the last lock; in the future after the clock was set back. */
  admitted_at: Timestamp;
  changed_at: Timestamp;
};
export type AiServiceRecord = Selectable<AiServiceTable>;

/** An admitted call to the AI service. Without `used_…` its reservation counts. */
export type AiCallsTable = {
  id: GeneratedAlways<number>;
  import_id: string | null;
  products: number;
  reserved_in: number;
  reserved_out: number;
  used_in: number | null;
  used_out: number | null;
  /** In the currency of the service, by the prices at the admission; null: no prices. */
  cost: number | null;
  outcome: AiOutcome | null;
  /** The latest time at which it may arrive; after its end, that time. */
  counts_from: Timestamp;
  ended_at: NullableTimestamp;
};
export type AiOutcome = 'ok' | 'declined' | 'malformed' | 'cut' | 'failed' | 'lost';

export type AiAnswersTable = {
  hash: Buffer;
  answer: JsonColumn<object>;
  made_at: Timestamp;
  used_at: Timestamp;
};

export type AiImportsTable = {
  import_id: string;
  run: number;
  /** The chosen service and model. Empty: asked only before these were stored. */
  target: string;
  fields: string[];
  state: 'asking' | 'stopped' | 'done';
  reason: string | null;
  /** Rows behind this one are still to be searched for products; null: none are. */
  collect_after: number | null;
  types: JsonColumn<string[]>;
  vendors: JsonColumn<string[]>;
  batch: Generated<number>;
  good: Counter;
  proposals: Counter;
  refused: JsonColumn<Record<string, number>>;
  begun_at: Timestamp;
};
export type AiImportRecord = Selectable<AiImportsTable>;

/** Keyed by the product's first row. */
export type AiAsksTable = {
  import_id: string;
  byte_from: number;
  row: number;
  fields: AskableField[];
  sent: JsonColumn<SentProduct> | null;
  hash: Buffer;
  state: Generated<'wanted' | 'asking' | 'answered' | 'refused' | 'failed'>;
  call: number | null;
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

export type BackupsTable = {
  taken_at: Timestamp;
  directory: string;
  /** Null: made by a command; the keeper does not remove it. */
  bytes: ColumnType<number | null, number | null | undefined>;
  removed_at: NullableTimestamp;
  checked_at: NullableTimestamp;
  check_result: ColumnType<BackupCheck | null, StorableJson | undefined, StorableJson>;
};

export type BackupCheck = {
  tables: number;
  rows: number;
  /** Files and photos whose bytes were compared with their hashes. */
  objects: number;
  seconds: number;
  /** The first differences, as sentences; `count` has their number. */
  differences: string[];
  count: number;
  /** Why nothing was restored, as a sentence. */
  problem: string | null;
};

/** A comparison of counters, outcomes, ledger and listings. */
export type AuditsTable = {
  id: GeneratedAlways<number>;
  started_at: Timestamp;
  ended_at: NullableTimestamp;
  imports: Counter;
  products: Counter;
  listings: Counter;
  difference_count: Counter;
  differences: JsonColumn<AuditDifference[]>;
  problem: ColumnType<string | null, string | null | undefined>;
};
export type AuditRecord = Selectable<AuditsTable>;

export type SuppliersTable = {
  id: GeneratedAlways<number>;
  name: string;
  named_by_operator: Generated<boolean>;
  /** Currencies that the operator agreed to send unconverted, as 'EUR as USD'. */
  currencies: Generated<string[]>;
  /** Products of the largest list that an operator has pushed. */
  products_max: ColumnType<number | null, number | null | undefined>;
  /** When an operator first pushed a list that updates this supplier's own products. */
  updates_agreed_at: NullableTimestamp;
  /** The number of its newest list, which may be gone: numbers are never reused. */
  last_number: Counter;
  /** Below the numbers of its lists; negative where lists of a merged supplier came before its own. */
  first_number: Counter;
  /** Since when it is being merged into another supplier, or deleted. */
  leaves_since: NullableTimestamp;
  merging_into: ColumnType<number | null, number | null | undefined>;
  merged: ColumnType<MergedSupplier | null, StorableJson | undefined, StorableJson | null>;
  /** For quantities that both its lists and the store have changed; null: asked. */
  stock_choice: ColumnType<'use-ours' | 'skip' | null, 'use-ours' | 'skip' | null | undefined>;
  /** Whether each of its lists names all of its products; null: the operator has not said so. */
  sends_complete: ColumnType<boolean | null, boolean | null | undefined>;
  /** A product is no longer listed when this many complete lists in a row lack it. */
  gone_after: Generated<number>;
  when_gone: Generated<GoneAction | 'nothing'>;
  guard_cost: ColumnType<number | null, number | null | undefined>;
  guard_column: ColumnType<string | null, string | null | undefined>;
  guard_change: ColumnType<number | null, number | null | undefined>;
  created_at: Timestamp;
};
export type SupplierRecord = Selectable<SuppliersTable>;

export type MergedSupplier = { name: string; twice: number; keys: string[] };

/** Common features of a supplier's lists, and how many lists have each. */
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
  sha256: string | null;
  state: Generated<'open' | 'counted' | 'not counted'>;
  fields: Generated<string[]>;
  /** The number of the counted list that its rows were compared with. */
  compared_with: number | null;
  counts: JsonColumn<ListCounts> | null;
  findings: JsonColumn<ListFindings> | null;
  answers: ColumnType<ListAnswers, StorableJson | undefined, StorableJson>;
  began_at: Timestamp;
  counted_at: NullableTimestamp;
  counted_run: ColumnType<number | null, number | null | undefined>;
  /** Whether items absent from a counted list count as missing; null: a partial list, or an earlier version. */
  is_complete: ColumnType<boolean | null, undefined, boolean | null>;
  /** When a person planned, or full auto did, something with its gone items; then full auto leaves it. */
  gone_acted_at: NullableTimestamp;
};
export type SupplierListRecord = Selectable<SupplierListsTable>;

/** It has our id once a list with it was read, and content once such a list counts. Renumbering changes its key. */
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
  /** The list that named it first, and the run with this content; null: all its content is in versions. */
  first_list: number;
  first_run: number | null;
};

/** Content of an item in a parse run of a list, if it differs from the previous list; valid while that run counts. */
export type ItemVersionsTable = Pick<
  SupplierItemsTable,
  'supplier' | 'our_id' | 'title' | 'hashes' | 'price' | 'quantity' | 'gtin'
> & {
  item: number;
  list: number;
  run: number;
  /** The list lacks it; the content is from the previous list. */
  missed: Generated<boolean>;
  /** From this list on it is this other item, which the list has under another key. */
  same_as: number | null;
  /** Its key before the list, which gives it another one. */
  key_before: string | null;
};

/** A row compared with the supplier's items. `item`: also after a later key change; `change`: domain's change bits. */
export type RowItemsTable = {
  import_id: string;
  run: number;
  row: number;
  item: number | null;
  our_id: string | null;
  change: number;
  /** Price of its item before this list, in ten-thousandths; null: none, or no item is certain. */
  price_then: ColumnType<number | null, number | null | undefined>;
};

/** Of an item (`i:` and id) or product (`p:` and our id). Value null: taken back. `said_of`: the supplier's cell. */
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
   * When it was set by hand; the epoch: before an upgrade; null: the list no longer says anything of its own. The
   * latest of all lists counts. Recipes ordered later change the value, too.
   */
  set_at: NullableTimestamp;
  /** When it was stored or taken back: lists read before that lack it. */
  kept_at: Timestamp;
  said_in: string;
  import_id: string;
  /** The import of a newer list with the same value; once it counts, the carried value ends. */
  settled_in: ColumnType<string | null, never, string | null>;
  /** The parse runs of that import with the value. */
  settled_runs: ColumnType<number[] | null, never, never>;
};

/** A command on a supplier's list that can be repeated on the next one. */
export type SupplierRecipesTable = {
  id: Generated<string>;
  supplier: number;
  operations: ColumnType<Operation[], StorableJson, StorableJson>;
  target: ColumnType<StepTarget, StorableJson, never>;
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
  /** When the operator last gave its command. The epoch: before an upgrade that began to note it. */
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
  feeds: FeedsTable;
  feed_fetches: FeedFetchesTable;
  sign_ins: SignInsTable;
  ai_service: AiServiceTable;
  ai_calls: AiCallsTable;
  ai_answers: AiAnswersTable;
  ai_imports: AiImportsTable;
  ai_asks: AiAsksTable;
  scanned_products: ScannedProductsTable;
  added_rows: AddedRowsTable;
  product_keys: ProductKeysTable;
  store_products: StoreProductsTable;
  store_syncs: StoreSyncsTable;
  metafield_definitions: MetafieldDefinitionsTable;
  category_choices: CategoryChoicesTable;
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
  activity: ActivityTable;
  hourly_counts: HourlyCountsTable;
  disk_samples: DiskSamplesTable;
  backups: BackupsTable;
};
