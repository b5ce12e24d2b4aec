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
  WatchedFileOutcome,
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
import type { ChoiceSubject, PushChoice } from '@draftshelf/domain/push/push-choices';
import type { Deviation, PlanComparison, PlanSettings } from '@draftshelf/domain/push/push-plan';
import type { ChoiceIfUnsure, UndoChoice, UndoCode } from '@draftshelf/domain/push/push-undo';
import type { UndoAction, UndoSums } from '@draftshelf/domain/push/undo-actions';
import type { ColumnAnswers } from '@draftshelf/domain/reading/column-questions';
import type { FileTable } from '@draftshelf/domain/reading/file-tables';
import type { HeaderMapping, MappingOverrides } from '@draftshelf/domain/reading/mapping/header-mapping';
import type { LineResult } from '@draftshelf/domain/review/corrections/line-kinds';
import type { IssueSet } from '@draftshelf/domain/review/issue-set';
import type { IssueFilter } from '@draftshelf/domain/review/issues';
import type { commandKinds } from '@draftshelf/domain/review/operations/carried-command';
import type { CommandTarget } from '@draftshelf/domain/review/operations/command-target';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import type { FillDownCarry } from '@draftshelf/domain/review/operations/operation-row';
import type {
  CommandStep,
  RecipeInputs,
  RecipeMode,
  StepTarget,
} from '@draftshelf/domain/review/operations/recipe';
import type { RowClass } from '@draftshelf/domain/review/row-rule';
import type { StoredValues } from '@draftshelf/domain/review/stored-values';
import type { Dimensions } from '@draftshelf/domain/scanner/scanned-product';
import type { FetchFailure, ListPreview, ListSchedule } from '@draftshelf/domain/suppliers/fetched-list';
import type { GoneAction, GoneCode, GoneOutcome } from '@draftshelf/domain/suppliers/gone';
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
  /** Filename of the import whose id is `same_as`. Null for imports that an earlier version of Draftshelf stored. */
  same_filename: ColumnType<string | null, string | null | undefined, never>;
  /** The operator's answer on prices in another currency, and the parse run to whose rows the answer applies. */
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
  /** The push run that is being undone. Equal to `push_run` while gone products are being changed. Otherwise null. */
  undoes_run: number | null;
  rows_run: Counter;
  /** The bytes (file, table or transcript) that offsets of edits and our ids refer to. Null: the first run's bytes. */
  offsets_in: string | null;
  push_total: Counter;
  push_done: Counter;
  created: Counter;
  updated: Counter;
  unchanged: Counter;
  skipped: Counter;
  failed: Counter;
  /** At the end of the last push: number of products skipped because the store had them under another id. */
  in_store: Counter;
  /** Number of products that got a value from a look-up since the last push began. */
  found_since_push: Counter;
  waiting_for: string | null;
  waiting_until: NullableTimestamp;
  /** When the store began to refuse all requests because it is locked or unpaid. Null if it accepts requests. */
  store_refuses_since: NullableTimestamp;
  store_pauses: Counter;
  created_at: Timestamp;
  source: Generated<ImportSource>;
  /** Path in the watched folder, or the list's address without secrets, for display. Null if the file was uploaded. */
  source_path: string | null;
  /** The auto-process mode when the file was taken from a folder or an address. Null if the file was uploaded. */
  auto_mode: AutoProcessMode | null;
  /** When full auto will push the import. Null if undecided, or if the import is pushed, stopped or held. */
  auto_push_at: NullableTimestamp;
  /** Why full auto holds the import, as a sentence. Null if the import is not held. */
  auto_held: string | null;
  /** True if the activity already mentions this import, which came from a folder, or leaves it out on purpose. */
  summarized: Generated<boolean>;
  /** When retention began to remove the import's rows. */
  rows_removed_at: NullableTimestamp;
  file_removed_at: NullableTimestamp;
  deletion_began_at: NullableTimestamp;
  /** Null if the supplier is unknown, or the file is no supplier's list. */
  supplier: ColumnType<number | null, number | null | undefined>;
  supplier_by: ColumnType<SupplierBasis | null, SupplierBasis | null | undefined>;
  /** A likely supplier, to be confirmed. Of `asked_sampled` products of the file, the supplier has `asked_known`. */
  asked_supplier: ColumnType<number | null, number | null | undefined>;
  asked_known: ColumnType<number | null, number | null | undefined>;
  asked_sampled: ColumnType<number | null, number | null | undefined>;
  /** When the file was last changed, as its folder, server or upload reported. Null if unknown. */
  file_at: NullableTimestamp;
  /** Edits up to this id, and proposals decided up to the time below, are part of the supplier's carried values. */
  edits_kept_to: Counter;
  proposals_kept_to: NullableTimestamp;
  pictures: Counter;
};

/** Counters and results of a parse run. */
export type ParseRunState = {
  failed_in: Stage | null;
  /** Number of work chunks of the current stage and run that are neither done nor dead. */
  open_chunks: Counter;
  total_rows: Counter;
  total_products: Counter;
  /** The highest product number so far. Joining two products frees a number, which is not reused. */
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

/** The view import_records. A migration that adds a column to imports must recreate the view. */
export type ImportRecordsTable = ImportsTable &
  ParseRunState & { stage: Generated<Stage>; started_at: NullableTimestamp };
export type ImportRecord = Selectable<ImportRecordsTable>;

/** retry: pushes products that the last push failed to send. undo: reverses a push. gone: changes gone products. */
export type RunKind = 'full' | 'reread' | 'retry' | 'undo' | 'gone';

export type RetryOptions = {
  onlyOutcomes: Outcome[];
};

export type RunsTable = ParseRunState & {
  import_id: string;
  stage: Stage;
  run: number;
  kind: Generated<RunKind>;
  options: JsonColumn<RetryOptions> | null;
  /** parse: how the file is read, and which columns are mapped to which fields. */
  dialect: JsonColumn<Dialect> | null;
  headers: JsonColumn<string[]> | null;
  mapping: JsonColumn<HeaderMapping> | null;
  /** parse: all overrides of the operator, even for columns that do not exist in this reading of the file. */
  mapping_overrides: JsonColumn<MappingOverrides> | null;
  /** parse: the current stage of the import, and when that stage began. */
  import_stage: Generated<Stage>;
  import_started_at: NullableTimestamp;
  /** parse, for a re-read: the import's status and last edit when the run began. `edit_before` 0: there was no edit. */
  status_before: ColumnType<ImportStatus | null, ImportStatus | undefined, never>;
  edit_before: ColumnType<number | null, number | undefined, never>;
  draft_mode: boolean | null;
  /** push: the choice for products that the store has under another id. Null: the choice in the preferences applies. */
  when_in_store: MatchChoice | null;
  /** parse: the store's currency when the run began. Null if unknown. */
  currency: string | null;
  /** parse: the supplier that the operator chose, by id or name. `supplier_by` is null if evidence decides. */
  supplier: ColumnType<number | null, number | null | undefined>;
  supplier_by: ColumnType<SupplierBasis | null, SupplierBasis | null | undefined>;
  supplier_name: ColumnType<string | null, string | null | undefined>;
  /** parse: whether the file is a list of prices and stock of a known supplier. Null: no, or not known yet. */
  is_partial: ColumnType<boolean | null, undefined>;
  guards: ColumnType<Guards | null, undefined, StorableJson | null>;
  shared_titles: ColumnType<SharedTitles | null, undefined, StorableJson | null>;
  carried_at: NullableTimestamp;
  /** parse: progress of finalize. Null before finalize begins. */
  finalize: JsonColumn<FinalizeProgress> | null;
  /** parse: number of products by field: all, `filled` by file or edit, `found` by look-ups. Null before look-ups. */
  coverage: JsonColumn<Record<string, Record<'products' | 'filled' | 'found', number>>> | null;
  /** parse: number of rows by class and issue. Combinations without rows are absent. */
  facets: ColumnType<RowFacet[], undefined, StorableJson>;
  /** parse: whether rows may lack effective values, after an upgrade or after a source was turned off. */
  lacks_values: Generated<boolean>;
  /** push: the shop. Null until the run's first chunk is claimed. */
  shop: string | null;
  /** push: whether full auto began the run. */
  automatic: Generated<boolean>;
  auto_retries: Counter;
  auto_retry_stopped: Generated<boolean>;
  started_at: Timestamp;
  ended_at: NullableTimestamp;
};
export type RunRecord = Selectable<RunsTable>;

/** Number of products that share a title, and the columns (such as a size) in which these products differ. */
export type SharedTitles = { products: number; columns: string[] };

/** Steps of finalize of a parse run. The last two run after the run's rows have become current. */
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

/** Progress and interim results of finalize, saved with every batch, so that a killed worker loses one batch. */
export type FinalizeProgress = {
  step: FinalizeStep | null;
  at: number;
  /** Edits up to this id are already in the rows, or the current step is applying them. */
  editsTo: number;
  /** The run whose offsets the rows copy, and the bytes to which the offsets refer (null for a run of this import). */
  offsets: { import: string; run: number; countedIn: string | null } | null;
  supplier: FoundSupplier;
  /** List number of the supplier's newest list when the step 'find items' began. Null before that step. */
  lists: number | null;
  earlier: EarlierPushes | null;
  /** Commands of carried values. Null until the rows of the run are current. */
  carried: {
    /** The id of the command with carried values. */
    command: string | null;
    /** Ids of the commands that undo values carried from other suppliers. */
    undo: string[];
    /** Up to this edit id, edits of other lists are stored as carried values. */
    keepTo: number;
  } | null;
  /** Result of comparing the rows with list number `list`, the supplier's last list that counted. */
  compared: { list: number; counts: ListCounts; findings: ListFindings } | null;
  /** The import's list under its former supplier. Absent once the items of that list are removed. */
  left?: { supplier: number; number: number };
};

export type SupplierBasis = 'evidence' | 'operator';

/** The supplier of a list. If `id` is null, `name` names a new supplier ('' if unnamed). Both null: no supplier. */
export type FoundSupplier = {
  id: number | null;
  name: string | null;
  by: SupplierBasis | null;
  asked: SupplierQuestion | null;
  signs: SupplierSign[];
  /** Highest id of all suppliers when the supplier was searched for. 0: no supplier existed. */
  newest: number;
};

/** Imports, oldest first, whose products become a supplier's items. `product`: cursor in the first one's products. */
export type EarlierPushes = { supplier: number; imports: string[]; product: number };

/** finalize: the last step of a run. task: background work on an import in any status. */
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
   * Subject of a background task: a shop, supplier or kind of folder, or '' for the installation. A background task
   * has no import, stage or run, although the types exclude null: only background-tasks.ts reads such chunks.
   */
  subject: ColumnType<string | null, string | null | undefined>;
  sequence: number;
  state: Generated<ChunkState>;
  publication: Generated<number>;
  /** Rank among the published chunks of its import, from 1. The queue delivers low ranks first. */
  priority: number | null;
  byte_from: number | null;
  byte_to: number | null;
  first_line: number | null;
  first_row: number | null;
  rows: number | null;
  first_product: number | null;
  products: number | null;
  /** In a task: processed rows, of `total` (null if unknown). In a push chunk: number of finished products. */
  done: Counter;
  total: number | null;
  not_before: NullableTimestamp;
  /** When the wait until `not_before` began. */
  deferred_at: NullableTimestamp;
  waiting_for: string | null;
  /** Number of consecutive waits. Each wait is twice as long as the one before. */
  waits: Counter;
  attempts: Counter;
  claims: Counter;
  /** Number of claims up to the last stored progress. These claims do not count as lost. */
  claims_with_progress: Counter;
  claim_pid: number | null;
  claim_backend_start: NullableTimestamp;
  /** The process that made the latest claim. */
  held_by: ColumnType<string | null, string | null | undefined>;
  /** Processes that lost a claim of this chunk to another process since the last stored progress. */
  lost_by: Generated<string[]>;
  error: string | null;
  /** The code (toCauseCode) of the chunk's last failure. Null once the chunk is done. */
  cause: ColumnType<string | null, string | null | undefined>;
  /** Number of retries for this `cause`, including automatic retries. */
  retries: Counter;
  command: ColumnType<string | null, string | null | undefined>;
  /** Null for chunks that an earlier version of Draftshelf inserted. */
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
  /** Option values with the names of the product's options ('Size: S'). */
  options: ColumnType<string[] | null, string[] | null | undefined>;
  /** Origins of effective values that do not come from the cells. Null: all effective values come from the cells. */
  sources: JsonColumn<Partial<Record<CanonicalField, 'edit' | 'found'>>> | null;
  /** Whether the row is the first of its product in the file. False for rows joined to another product. */
  is_first: Generated<boolean>;
  /** Text for searches, from toSearchText in packages/domain. Null if the row is ignored. */
  search: ColumnType<string | null, string | null | undefined>;
  group_key: string | null;
  cells: JSONColumnType<string[]>;
  /** Cells before the reader moved some of them to other columns. Null if no cell was moved. */
  cells_as_read: JSONColumnType<string[]> | null;
  /** The product's own id, set on its first row. If null, our-id.ts derives the id. */
  own_id: ColumnType<string | null, string | null | undefined>;
  /** The item as in the file: its key in the supplier's lists, hashes of field groups, price × 10,000, quantity. */
  item_key: ColumnType<string | null, string | null | undefined>;
  item_hashes: ColumnType<Buffer | null, Buffer | null | undefined>;
  item_price: ColumnType<number | null, number | null | undefined>;
  item_quantity: ColumnType<number | null, number | null | undefined>;
  item_gtin: ColumnType<number | null, number | null | undefined>;
};
export type RowRecord = Selectable<RowsTable>;

/** The effective values of a row and their sizes, as in domain's `valueColumns` and `sizeColumns`. */
type StoredColumns = {
  [column in keyof StoredValues]: ColumnType<StoredValues[column], StoredValues[column] | undefined>;
};

/** Lines, offsets and own ids of removed rows, in blocks of rows. `own_ids` is null if no row has an own id. */
export type KeptPlacesTable = {
  import_id: string;
  run: number;
  block: number;
  rows: number[];
  lines: number[];
  offsets: number[];
  own_ids: (string | null)[] | null;
};

/** Deleted imports that were pushed. If the same file arrives again, `kept_places` gives its products the same ids. */
export type DeletedImportsTable = {
  id: string;
  sha256: string;
  /** The run of the kept places, the bytes that this run scanned, and the bytes to which the offsets refer. */
  run: number;
  scanned_in: string;
  counted_in: string;
  /** Number of read rows. A test import reads only the first rows of its file. */
  total_rows: number;
  deleted_at: Timestamp;
};

type FacetClass = RowClass | 'ignored';

/** An issue's code, a group of issues such as 'any' or 'left-out', or '' for every row of the class. */
export type FacetIssue = IssueFilter | '';

/** Number of rows with a class and an issue. Ignored rows count only in the class of ignored rows. */
export type RowFacet = {
  class: FacetClass;
  issue: FacetIssue;
  rows: number;
};

/** A row whose SKU or UPC also occurs in another import that is not pushed yet. */
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
  /** Origin of the value: 'row', 'own', 'scanner', 'rule', 'file', or the name of a source. */
  source: string;
  gtin: ColumnType<string | null, string | null | undefined>;
  attribution: ColumnType<string | null, string | null | undefined>;
  found_at: Timestamp;
};

/** Position of a picture's bytes in the stored file, as the archive's directory gives it. */
export type PicturePosition = Omit<FoundPicture, 'entry' | 'sheet' | 'line'>;

export type FilePicturesTable = {
  import_id: string;
  /** Number of the picture in the file, from 1. Negative for photos that the operator added. */
  n: number;
  entry: string;
  place: JsonColumn<PicturePosition>;
  /** The number of the sheet's table, and the picture's row. Null if the picture can be matched only by its name. */
  sheet: number | null;
  line: number | null;
  photo_id: ColumnType<string | null, string | null | undefined>;
  state: Generated<'waiting' | 'stored' | 'refused'>;
  /** Why the picture was refused, as a sentence. */
  reason: ColumnType<string | null, string | null | undefined>;
};

export type PictureMatchesTable = {
  import_id: string;
  run: number;
  n: number;
  row: number | null;
  /** Why the picture was not matched or not used. Null if `row` has the picture. */
  reason: string | null;
};

/** A source of product data by GTIN, with its quota. */
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
  /** Pause before a GTIN is requested again after a call without an answer. The pause doubles each time. */
  retry_ms: Generated<number>;
  /** Calls that the source's headers allow until `calls_left_until`. Null if the source sends no such headers. */
  calls_left: ColumnType<number | null, number | null | undefined>;
  calls_left_until: NullableTimestamp;
  blocked_until: NullableTimestamp;
  blocked_because: ColumnType<string | null, string | null | undefined>;
  failures: Counter;
  /** Approximate time of the last admission. If it is in the future, the clock was set back since. */
  admitted_at: Timestamp;
  changed_at: Timestamp;
};
export type SourceRecord = Selectable<SourcesTable>;

/** An admitted call. Quotas count it from `counts_from`, the latest time at which the call can reach the source. */
export type SourceCallsTable = {
  id: GeneratedAlways<number>;
  source: string;
  gtin: string;
  admitted_at: Timestamp;
  counts_from: Timestamp;
};

/** wanted: queued. covered: not requested, because an earlier source has found all missing fields. */
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
  /** Whether the answer was applied to the products that waited for it. */
  applied: Generated<boolean>;
  answer: JsonColumn<SourceAnswer> | null;
  error: ColumnType<string | null, string | null | undefined>;
};

/** Fields that a product's effective values lack, keyed by the product's first row. */
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
  /** Origin of the proposal: 'own', 'rule', 'ai', or the name of a source. */
  source: string;
  /** Null for proposals of rules and AI. */
  gtin: string | null;
  /** A code of the domain's ProposalReason, or a sentence. */
  reason: string;
  attribution: string | null;
  /** Words of the row that support the value. */
  evidence: string | null;
  /** Text that the proposals of a group share, as shown: 'Wall Art'. Null: no group. */
  group_key: string | null;
  state: Generated<'open' | 'taken' | 'dismissed'>;
  found_at: Timestamp;
  decided_at: NullableTimestamp;
  /** The command that accepted the proposal. The column is not cleared if the command is undone. */
  taken_by: ColumnType<string | null, never, string | null>;
  passed_over_by: ColumnType<string | null, never, string | null>;
  dismissed_by: ColumnType<string | null, never, string | null>;
};
export type ProposalRecord = Selectable<ProposalsTable>;

/** The store that the api's configuration names. */
export type OutsideAccessTable = {
  singleton: Generated<boolean>;
  /** If true, pictures are checked even without an enabled source. */
  real_store: boolean;
  store_url: string | null;
};

/** bad: the store would not accept the picture. */
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
  /** The new value. Null undoes the edit, so that the value from the file or the found value applies again. */
  after: string | null;
  /** Source of the accepted proposal, even if an undo restored the value. Null if the operator entered the value. */
  source: string | null;
  /** copied: whether the original edit's command applied to its own list only. */
  of_list: boolean | null;
  /** When a carried value was set by hand. Recipes ordered later replace the value. Null if set in this import. */
  set_at: NullableTimestamp;
  edited_at: Timestamp;
};

export type EditCommandKind = (typeof commandKinds)[number] | 'undo' | 'redo';

/** Progress of a long command. An undone command that still has progress did not finish, so it cannot be redone. */
export type CommandProgress = {
  step: 'search' | 'rows';
  at: number;
  batch: number;
  pictured: boolean;
  /** Values that fill-down copies from earlier rows. */
  carry: FillDownCarry | null;
  /** recipes: `carry` of each step, and the index of the step whose rows are being searched. */
  carries?: (FillDownCarry | null)[];
  searched?: number;
};

/** The supplier whose values were carried into a list, and the file of the earlier list (null if several). */
export type CarryOrigin = { supplier: number; filename: string | null };

/** Number of cells that a command left unchanged, by reason. The reasons are in packages/contract. */
export type UnchangedCells = Record<string, number>;

/** The first rows with unchanged cells, at most three per reason. */
export type UnchangedRows = { run: number; rows: Record<string, number[]> };

export type EditCommandsTable = {
  import_id: string;
  id: Generated<string>;
  kind: EditCommandKind;
  rows: number;
  /** applying, undoing: a task is still running. An undo or redo is `applying` while its task runs. */
  state: Generated<'applied' | 'undone' | 'applying' | 'undoing'>;
  /** undo, redo: the command whose edits are undone or applied again. */
  undoes: string | null;
  /** Id of a browser, or 'call' for a request without a browser id. Null if unknown or if no operator gave it. */
  author: string | null;
  /** bulk: the operations that the operator chose. recipes: the operations of all steps. */
  operations: JsonColumn<Operation[]> | null;
  target: JsonColumn<CommandTarget> | null;
  steps: ColumnType<CommandStep[] | null, StorableJson | null | undefined, StorableJson>;
  /** bulk, corrections: cells that were edited after this edit stay unchanged. Null: no such limit. */
  since_edit: number | null;
  /** bulk, corrections, carried, undo, redo: number of edits. Null for commands of an earlier version. */
  edits: number | null;
  /** carried: origin of the values. undo: origin of the carried values that a change of the supplier undid. */
  carried: ColumnType<CarryOrigin | null, StorableJson | null | undefined, never>;
  /** copied: those commands of the earlier upload that applied only to their own list. */
  copied: ColumnType<ListCommand[] | null, never, never>;
  left_cells: JsonColumn<UnchangedCells> | null;
  /** Null if no cell was left unchanged, or an earlier version applied the command. */
  left_rows: ColumnType<UnchangedRows | null, StorableJson | null | undefined, StorableJson | null>;
  progress: JsonColumn<CommandProgress> | null;
  created_at: Timestamp;
  ended_at: NullableTimestamp;
};
export type EditCommandRecord = Selectable<EditCommandsTable>;

/** Rows of a command, in blocks. Step 0: rows still to change. Other steps: rows that each step of a recipe found. */
export type CommandTargetsTable = {
  import_id: string;
  run: number;
  command: string;
  step: Generated<number>;
  block: number;
  rows: string;
};

/** Facts about a file of corrections. `commas`: columns with decimal commas. `bytes`: length of the scanned text. */
export type CorrectionsFile = {
  dialect: Dialect;
  headers: string[];
  commas: number[];
  bytes: number;
  records: number;
};

/** The next record to compare. If `settled` is set, no record is left, and results up to row `settled` are final. */
export type CompareProgress = { byte: number; line: number; row: number; settled?: number };

export type CorrectionsCounts = {
  records: number;
  /** Number of cells, or of rows that could not be compared, by kind of line. */
  lines: Partial<Record<LineResult, number>>;
  rows: number;
  /** Number of cells by field: with a value in the download, changed, and changed to empty. */
  fields: Partial<Record<CanonicalField, { filled: number; changed: number; emptied: number }>>;
  /** Number of changed cells in columns that are mapped to no field, by column name. */
  unused: Record<string, number>;
};

/** Files of corrections. `run` is the parse run whose rows the file was compared with. */
export type CorrectionsTable = {
  id: Generated<string>;
  import_id: string;
  run: number;
  filename: string;
  /** Null once the file is removed. */
  object_key: string | null;
  source: JsonColumn<CorrectionsFile>;
  state: Generated<'comparing' | 'compared' | 'applied'>;
  at: JsonColumn<CompareProgress> | null;
  counts: JsonColumn<CorrectionsCounts>;
  since_edit: number;
  /** The latest command that applies changes of the file. */
  command: ColumnType<string | null, never, string>;
  created_at: Timestamp;
};
export type CorrectionsRecord = Selectable<CorrectionsTable>;

/** Rows of a file of corrections, each with a hash of its cells. */
type CorrectionRowsTable = {
  import_id: string;
  corrections: string;
  byte_from: number;
  hash: string;
  /** Whether the file has the same row again with different values. */
  is_ambiguous: Generated<boolean>;
};

export type CorrectionCellsTable = {
  import_id: string;
  corrections: string;
  line: number;
  row: number | null;
  byte_from: number | null;
  field: CanonicalField | null;
  kind: LineResult;
  before: string | null;
  now: string | null;
  after: string | null;
};

/** Rows that finalize moves to a product elsewhere in the file. Deleted once the rows are moved. */
export type RowJoinsTable = { import_id: string; run: number; row: number; product: number };

export type ListingsTable = {
  shop: string;
  our_id: string;
  store_product_id: string | null;
  handle: string | null;
  sent: JsonColumn<object> | null;
  sent_hash: string | null;
  /** Null until the product is read after our last write. */
  baseline: JsonColumn<object> | null;
  baseline_read_at: NullableTimestamp;
  /** Values against which the drift of some fields is measured instead of the baseline. Null: no such values. */
  kept: JsonColumn<object> | null;
  /** The pushed state of our last write. While `baseline` is null, the `after` of this state is the baseline. */
  state_id: number | null;
  sending: JsonColumn<object> | null;
  sending_hash: string | null;
  sending_chunk: number | null;
  /** Null for a write that an older version began. */
  sending_kind: WriteKind | 'undo' | null;
  /** The product before the write. Null if the write creates the product. */
  sending_before: JsonColumn<object> | null;
  sending_at: NullableTimestamp;
  /** End of the lease of a write outside of chunks. Until then, no other process takes the write over. */
  sending_until: NullableTimestamp;
  /** Values from which `sent` was built. Another version of Draftshelf may build another draft from the same values. */
  source: JsonColumn<object> | null;
  sending_source: JsonColumn<object> | null;
  sending_kept: JsonColumn<object> | null;
  pushed_at: NullableTimestamp;
};
export type WriteKind = 'create' | 'update';

/** The latest claim of a product key, or of a store product's id (kind 'product'), by a product being sent. */
export type KeyClaimsTable = {
  shop: string;
  kind: ProductKeyKind | 'product';
  value: string;
  our_id: string;
  /** Null if a call outside an import made the claim. */
  import_id: string | null;
  /** The sender, as in `sending_chunk` and `sending_until` of the listing. */
  chunk: number | null;
  until: NullableTimestamp;
  claimed_at: Timestamp;
  /** When the write ended. Null if that is not known yet. */
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
  /** Null for writes of older versions, which recorded an update as a creation if the response was lost. */
  kind: WriteKind | null;
  /** When the write began. A product that is older was not created by this write. */
  begun_at: NullableTimestamp;
  /** The product as it was read before an update. Null if the write created the product. */
  before: JsonColumn<object> | null;
  /** The product as first read after the write. If null, it is the baseline of the listing whose `state_id` is `id`. */
  after: JsonColumn<object> | null;
  /** When `after` was read. Changes by others between `begun_at` and this time are included in `after`. */
  after_read_at: NullableTimestamp;
  /** `sent`, `sent_hash` and `source` of the listing before the write. */
  sent_before: JsonColumn<object> | null;
  sent_hash_before: string | null;
  source_before: JsonColumn<object> | null;
  /** If an update overwrote others' changes: the product without those changes, {} if unknown. Otherwise null. */
  expected_before: JsonColumn<object> | null;
  /** When we learned that the write had arrived in the store. */
  written_at: Timestamp;
  undone_at: NullableTimestamp;
};

export const columnsBeforeUndo = [
  'failed_in',
  'error_message',
  'error_log',
  'error_count',
  'started_at',
  'completed_at',
  'push_total',
  'push_done',
] as const satisfies readonly (keyof ImportRecord)[];
export type ImportBeforeUndo = {
  status: ImportStatus;
  columns: Pick<ImportRecord, (typeof columnsBeforeUndo)[number]>;
};

export type StoreSnapshot = {
  locationId: string | null;
  currency: string;
  collections: { id: string; title: string; smart: boolean }[];
  /** Absent in plans of older versions. */
  canRename?: boolean;
};

/** A column of previews of one kind. Null in previews of other kinds. */
type OfKind<Value> = ColumnType<Value, Value | undefined, Value>;
type JsonOfKind<Value> = ColumnType<Value, StorableJson | undefined, StorableJson>;

export type PreviewKind = 'push' | 'undo' | 'gone';

/** Columns of each kind of preview. A new preview of the same import and kind replaces the old one and its lines. */
type PreviewColumns<Kind extends PreviewKind> = {
  id: GeneratedAlways<number>;
  import_id: string;
  kind: Kind;
  sums: ColumnType<Record<string, number>, never, StorableJson>;
  /** Cost of a plan, or of executing an undo, in points of the store's budget. */
  points: Counter;
  started_at: Timestamp;
  /** Null while the preview is in progress, or if it was stopped or has a problem. */
  previewed_at: NullableTimestamp;
  /** Why the preview cannot be made, as a sentence. */
  problem: string | null;
  replaced_at: NullableTimestamp;
  run: number | null;
};

type PlanColumns = {
  /** Null until a worker has begun the plan. */
  shop: string | null;
  rows_run: OfKind<number>;
  made_from: JsonOfKind<PlanSettings>;
  /** The last edit before the plan began. 0: there was no edit. */
  last_edit: OfKind<number>;
  /** The last edit before the plan ended. The plan may include edits after `last_edit`. Null: not ended, or unknown. */
  edits_until: number | null;
  store: JsonColumn<StoreSnapshot> | null;
  /** When our copy of the store, which the plan searched, was completed. Null: the plan used no copy. */
  copied_at: NullableTimestamp;
  decisions: ColumnType<DecisionCounts, never, StorableJson>;
  /** Number of products whose choice has changed since the plan was made. */
  decided_since: Counter;
  /** Points that opening the store cost. 0 if the worker already had the store open. */
  opening_points: Counter;
  /** Working time in milliseconds, excluding waits. */
  work_ms: Counter;
  compared: JsonColumn<PlanComparison> | null;
};

type UndoColumns = {
  shop: string;
  undoes_run: OfKind<number>;
  made_at_run: OfKind<number>;
  when_unsure: OfKind<ChoiceIfUnsure>;
  /** Cursor: pushed states from the newest down to this id have been previewed. Null: not begun. */
  position: number | null;
  total: number | null;
  choices: ColumnType<Partial<Record<UndoCode, UndoChoice>>, never, StorableJson>;
  recreated_variants: Counter;
  status_before: JsonColumn<ImportBeforeUndo> | null;
  results: ColumnType<UndoSums, never, StorableJson>;
  ended_at: NullableTimestamp;
};

/** The action for products that a supplier's list no longer has. */
export type GonePlan = {
  action: GoneAction;
  supplier: number;
  /** The list that counted last. Items that have been missing since list `until`, or an earlier list, are gone. */
  list: number;
  until: number;
  /** Keys that the operator selected. Null: all keys. */
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

/** A product of a preview. `facts`: values that depend on the preview's kind and are not used in SQL conditions. */
export type PreviewLinesTable = {
  preview: number;
  /** In a plan: the product number. In an undo: a number from 1, in reverse order of the push. */
  line: number;
  /** Null for lines of a plan that need no decision by the operator. */
  our_id: string | null;
  store_product_id: string | null;
  /** Null in a plan, because edits may change the title. */
  title: string | null;
  /** The action that applies without a choice; in a plan, the planned outcome. Null if not planned yet. */
  action: string | null;
  code: string | null;
  message: string | null;
  /** Names of the choices, joined with commas. Null if there is nothing to decide. */
  choices: string | null;
  choice: PushChoice | UndoChoice | null;
  /** The result of the action, or null if there is none yet. Always null in a plan, whose results are in `outcomes`. */
  result: UndoAction | GoneOutcome | null;
  result_code: UndoCode | GoneCode | null;
  result_message: string | null;
  /** Set only in plans, like all columns below except `facts`. */
  about: ChoiceSubject | null;
  basis: string | null;
  planned_choice: PushChoice | null;
  /** After the push: why the outcome differs from the plan. */
  otherwise: Deviation | null;
  /** Rank by the size of the change. The largest change has the lowest rank. */
  change_rank: number | null;
  /** The store's product. Null if a listing has the same state. Not in `facts`, because it may be too large to list. */
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
export type GoneLineRecord = LineOf<'gone', ChangeColumns<GoneOutcome, GoneOutcome | null, GoneCode>>;
export type LineRecordsByKind = { push: PlanLineRecord; undo: UndoLineRecord; gone: GoneLineRecord };

export type PushChoicesTable = {
  shop: string;
  our_id: string;
  about: ChoiceSubject;
  basis: string;
  choice: PushChoice;
  import_id: string;
  created_at: Timestamp;
};

/** Times of the products' last changes in the store, for a part of a push run. One worker reads them for all. */
export type StampReadsTable = {
  import_id: string;
  run: number;
  part: number;
  stamps: JsonColumn<ChangeTimes> | null;
  changed_at: Timestamp;
};

/** Times of the products' last changes by their ids in the store. Null: the store no longer has the product. */
export type ChangeTimes = Record<string, string | null>;

export type LedgerOrigin = 'push' | 'undo' | 'scanner' | 'call' | 'gone';

export type LedgerTable = {
  id: GeneratedAlways<number>;
  origin: LedgerOrigin;
  shop: string;
  our_id: string;
  /** Null if the entry belongs to no import. */
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
  /** Points admitted so far. Never decreases, so that reservations and the store's reports can be ordered. */
  admitted: Generated<number>;
  measured_at: Timestamp;
};

/** Keys of products, as domain's keysOf returns them. */
export type ProductKeysTable = {
  shop: string;
  kind: ProductKeyKind;
  value: string;
  our_id: string;
  /** The import that first pushed the product. Null: no import. */
  import_id: string | null;
  /** Null if the supplier is unknown or there is none. */
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
  /** When the process of the sync last stored something. If that is long ago, another process continues the sync. */
  changed_at: Timestamp;
  ended_at: NullableTimestamp;
  error: string | null;
};
export type StoreSyncRecord = Selectable<StoreSyncsTable>;

/** The store category chosen for a supplier's own category. `supplier` is 0 for files without a supplier. */
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
  /** Id of the key with which the credential is sealed. */
  key_id: string;
  sealed: Buffer;
  /** Set only for the service 'shopify'. */
  shop: string | null;
  /** start: the demo store that `npm start` runs. */
  origin: 'operator' | 'start';
  saved_at: Timestamp;
  /** When this credential was replaced. Running pushes of its shop still use it. Null: it is current. */
  replaced_at: NullableTimestamp;
};
export type CredentialRecord = Selectable<CredentialsTable>;

export type ShopsTable = {
  shop: string;
  url: string;
  /** Null until the currency has been read. */
  currency: string | null;
};

export type SessionsTable = {
  id: string;
  key_fingerprint: string;
  created_at: Timestamp;
  expires_at: Timestamp;
  /** Time of the last use, or up to some minutes earlier. */
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
  /** Number of chunks that the process works on at a time. 0 for the api. */
  slots: number;
  started_at: Timestamp;
  seen_at: Timestamp;
  swept_at: NullableTimestamp;
  /** Why the process has not begun to work yet, as a sentence. */
  waiting_for: ColumnType<string | null, string | null | undefined>;
  /** Difference between the clocks of the process and of Postgres at the previous heartbeat. */
  clock_skew_ms: Counter;
  backend_pid: number | null;
  backend_start: NullableTimestamp;
  answered_since: NullableTimestamp;
  /** Last heartbeat of a process that died without being asked to stop. Null for other processes. */
  died_at: NullableTimestamp;
  /** The only chunk that the process held when it died. Null: none or several. */
  died_with: ColumnType<number | null, number | null | undefined>;
};

/** Sums of all processes' tallies per ten seconds, by name. The names are in packages/domain. */
export type HealthCountsTable = { at: Timestamp; name: string; count: number };

export type ConditionsTable = {
  id: string;
  /** Since when the condition's symptom is present. Null if the symptom is absent. */
  seen_since: NullableTimestamp;
  /** Since when the condition is in effect. Null if it is not. */
  began_at: NullableTimestamp;
  ended_at: NullableTimestamp;
  /** The latest finding, as a sentence. */
  detail: string | null;
  /** Whether the last webhook message about the condition said that it is in effect. */
  told: Generated<boolean>;
};

export type ActivityTable = {
  id: GeneratedAlways<number>;
  type: ActivityType;
  message: string;
  import_id: string | null;
  created_at: Timestamp;
};

/** Free and total disk space, measured once an hour. */
export type DiskSamplesTable = { hour: Timestamp; free_bytes: number; total_bytes: number };

/** Counts of an import in an hour. Changed only while the import is locked. The nil UUID stands for no import. */
export type HourlyCountsTable = {
  /** -infinity for the sum of older hours. A reset of the dashboard subtracts all counts so far from this row. */
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
  /** The keys of the file's headers, from domain's headerKeys. */
  headers: string[];
  /** Fields by column name. Null for a column without a field. */
  columns: JsonColumn<Record<string, CanonicalField | null>>;
  /** The operator's answers on how cells are read, by column name. */
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

/** Layouts of files that were pushed. `fingerprint`: a hash of the headers and of which are title and price. */
export type PushedLayoutsTable = {
  fingerprint: string;
  pushed_at: Timestamp;
  products_max: Counter;
  /** Currencies whose amounts were sent unconverted, each with the store's currency: 'EUR as USD'. */
  currencies: Generated<string[]>;
};

/** A watched folder. The form of `detail` depends on the kind of folder. */
export type WatchedFolder = {
  path: string;
  account: string | null;
  settleMs: number;
  detail: Record<string, unknown>;
};

export type WatchSourcesTable = {
  id: Generated<string>;
  kind: FolderKind;
  place: JsonColumn<WatchedFolder> | null;
  /** Key of the folder's location. If the key changes, the next look counts as the first one. */
  place_key: string | null;
  /** onedrive: cursor of the next look, stored in the same transaction as the files found up to this cursor. */
  cursor: string | null;
  /** Decision on the files found at the first look. asked: the operator has not answered yet. */
  baseline: Generated<'asked' | 'ignored' | 'taken'>;
  state: Generated<FolderState>;
  /** Why the folder cannot be read, as a sentence; the kind of trouble; its technical cause; since when it lasts. */
  trouble: string | null;
  trouble_kind: string | null;
  trouble_cause: string | null;
  trouble_since: NullableTimestamp;
  failures: Counter;
  /** Whether files in the folder can be moved and deleted. Null if unknown. */
  can_write: boolean | null;
  /** local: number of files at the last look, minus files moved or deleted by the worker since. Null if unknown. */
  files: number | null;
  /** onedrive: the signed-in account, known before the folder is chosen. */
  account: string | null;
  simulated: Generated<boolean>;
  asked_at: NullableTimestamp;
  looked_at: NullableTimestamp;
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
  /** Name of the file in a local folder, or its id in OneDrive. */
  file_key: string;
  version: string;
  name: string;
  bytes: number;
  modified_at: NullableTimestamp;
  state: WatchedFileState;
  option: WatchedFileOutcome | null;
  option_wanted: 'archive' | 'delete' | null;
  reason: string | null;
  attempts: Counter;
  not_before: NullableTimestamp;
  claim: Counter;
  held_by: string | null;
  /** Number of processes that died while they were reading this file and no other. */
  deaths: Counter;
  /** A process died while taking this file, so it is taken last and alone. */
  suspected: Generated<boolean>;
  /** Whether the operator imports the file even if its content has arrived before. */
  take_anyway: Generated<boolean>;
  import_id: string | null;
  sha256: string | null;
  new_key: string | null;
  first_seen_at: Timestamp;
  seen_at: Timestamp;
  changed_at: Timestamp;
  /** Whether a refused file is included in the activity. */
  summarized: Generated<boolean>;
};
export type WatchedFileRecord = Selectable<WatchedFilesTable>;

/** Addresses of suppliers' lists. Their secrets are stored as credentials of the service `feed:<id>`. */
export type FeedsTable = {
  id: Generated<string>;
  /** test: the supplier with whose lists the tested list is compared. Null: no supplier. */
  supplier: number | null;
  /** test: an address that is tried without creating an import. on: the address of a supplier's lists. */
  state: Generated<'test' | 'on'>;
  kind: ListAddress['kind'];
  /** The address without secrets. */
  shown: string;
  host: string;
  sign_in: ListSignIn['kind'];
  /** sftp: SHA-256 of the host key that the server showed during the test. */
  host_key: string | null;
  schedule: JsonColumn<ListSchedule> | null;
  zone: Generated<string>;
  /** ETag and time of the last list, from its server, and hashes of its bytes and rows. */
  etag: string | null;
  last_modified: string | null;
  sha256: string | null;
  rows_hash: string | null;
  last_import: string | null;
  /** When an operator requested a fetch. Null if no request is open. */
  asked_at: NullableTimestamp;
  /** Times of the last fetch without trouble, and of the last fetch that brought a list. */
  fetched_at: NullableTimestamp;
  found_at: NullableTimestamp;
  /** Null while a fetch is running, and for addresses that are fetched only by hand. */
  next_fetch_at: NullableTimestamp;
  failures: Counter;
  trouble: string | null;
  trouble_kind: FetchFailure | null;
  trouble_cause: string | null;
  trouble_since: NullableTimestamp;
  /** test: the result of the test. */
  preview: JsonColumn<ListPreview> | null;
  /** Whether full auto pushes the supplier's lists. */
  runs_itself: Generated<boolean>;
  /** When full auto was turned on or ended for this address, and why it ended, as a sentence. */
  itself_at: NullableTimestamp;
  itself_ended: string | null;
  created_at: Timestamp;
};
export type FeedRecord = Selectable<FeedsTable>;

/** Results of fetches of an address. Only fetches that changed something are stored. */
export type FeedFetchesTable = {
  id: GeneratedAlways<number>;
  feed: string;
  at: Timestamp;
  result: 'taken' | 'same' | 'failed';
  import_id: string | null;
  sentence: string | null;
  cause: string | null;
  /** Whether a newer list replaced the import before an operator worked on the import. */
  replaced: Generated<boolean>;
  /** Whether the push was planned before an operator worked on the import. */
  planned: Generated<boolean>;
  /** Whether the push did what was planned. unknown: there was no plan to compare with. */
  agreed: 'equal' | 'different' | 'unknown' | null;
};
export type FeedFetchRecord = Selectable<FeedFetchesTable>;

/** Sign-ins to OneDrive, one at a time. Ended sign-ins are kept for their messages. */
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
  /** Id from the client, so that a repeated save changes the same product. */
  id: string;
  /** Our id in the store: `id` without dashes. */
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
  /** Addresses in order: '/api/photos/<uuid>', or http(s). */
  photos: string[];
  /** Number of changes. */
  version: Counter;
  created_at: Timestamp;
  arrived_at: Timestamp;
  changed_at: Timestamp;
  /** The last sync: its time, the shop, the sent version, and the store's global id of the product. */
  synced_at: NullableTimestamp;
  synced_shop: ColumnType<string | null, never, string | null>;
  synced_version: ColumnType<number | null, never, number | null>;
  store_product_id: ColumnType<string | null, never, string | null>;
  /** When the product was deleted. Its id is blocked until the row is removed, 30 days later at the earliest. */
  deleted_at: NullableTimestamp;
};
export type ScannedRecord = Selectable<ScannedProductsTable>;

/** Scanned products that were added to an import. In every run, their rows follow the last row of the file. */
export type AddedRowsTable = {
  import_id: string;
  /** No foreign key, because the rows of an import stay when the scanned product is deleted. */
  product_id: string;
  /** Number within the import, from 1. The row's `byte_from` is the negative of this number. */
  ordinal: number;
  own_id: string;
  values: JsonColumn<RowValues>;
  version: number;
  /** Photos in `values`, which are kept as long as the row. */
  photos: string[];
  added_at: Timestamp;
  taken_at: Timestamp;
};
export type AddedRowRecord = Selectable<AddedRowsTable>;

/** The AI service that was entered in Settings, and limits, prices and state of the service in use. A single row. */
export type AiServiceTable = {
  singleton: Generated<boolean>;
  /** As entered in Settings. An address from the environment is not stored. */
  base_url: string | null;
  model: string | null;
  /** Incremented when the service, the model or the key may have changed. */
  version: Counter;
  /** Form of structured output that the service named by `manner_of` supports. Null if not tried. */
  structure: 'schema' | 'object' | 'text' | null;
  token_parameter: 'max_tokens' | 'max_completion_tokens' | null;
  manner_of: string | null;
  malformed: Counter;
  /** Price per million tokens. Null if costs are unknown. */
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
  /** Why a person has to act before the service is called again, as a sentence. */
  trouble: string | null;
  failures: Counter;
  /** Approximate time of the last lock of this row. If it is in the future, the clock was set back since. */
  admitted_at: Timestamp;
  changed_at: Timestamp;
};
export type AiServiceRecord = Selectable<AiServiceTable>;

/** An admitted call to the AI service. Its reserved tokens count while `used_in` and `used_out` are null. */
export type AiCallsTable = {
  id: GeneratedAlways<number>;
  import_id: string | null;
  products: number;
  reserved_in: number;
  reserved_out: number;
  used_in: number | null;
  used_out: number | null;
  /** Cost in the service's currency, by the prices at the admission. Null if there were no prices. */
  cost: number | null;
  outcome: AiOutcome | null;
  /** The latest time at which the call may arrive. Once the call has ended, the time of its end. */
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
  /** The chosen service and model. Empty if an earlier version of Draftshelf asked all questions. */
  target: string;
  fields: string[];
  state: 'asking' | 'stopped' | 'done';
  reason: string | null;
  /** Rows after this one are still to be searched for products. Null if the search is complete. */
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

/** Questions to the AI service, keyed by the product's first row. */
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
  /** Number of calls about this product alone whose answer could not be used. */
  refusals: Counter;
  /** Whether the answer had values for fields that had changed before it arrived. */
  outdated: Generated<boolean>;
  not_before: NullableTimestamp;
  asked_at: NullableTimestamp;
  error: string | null;
};
export type AiAskRecord = Selectable<AiAsksTable>;

export type BackupsTable = {
  taken_at: Timestamp;
  directory: string;
  /** Null for a backup that a command made. The keeper does not remove such a backup. */
  bytes: ColumnType<number | null, number | null | undefined>;
  removed_at: NullableTimestamp;
  checked_at: NullableTimestamp;
  check_result: ColumnType<BackupCheck | null, StorableJson | undefined, StorableJson>;
};

export type BackupCheck = {
  tables: number;
  rows: number;
  /** Number of files and photos whose bytes were compared with their hashes. */
  objects: number;
  seconds: number;
  /** The first differences, as sentences. `count` is the number of all differences. */
  differences: string[];
  count: number;
  /** Why nothing was restored, as a sentence. */
  problem: string | null;
};

/** Audits, which compare counters, outcomes, ledger and listings. */
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
  /** Currencies that the operator agreed to send unconverted: 'EUR as USD'. */
  currencies: Generated<string[]>;
  /** Number of products in the largest list that an operator has pushed. */
  products_max: ColumnType<number | null, number | null | undefined>;
  /** When an operator first pushed a list that updates the supplier's own products. */
  updates_agreed_at: NullableTimestamp;
  /** The highest list number given so far. The list may be deleted, but its number is not reused. */
  last_number: Counter;
  /** A number below all list numbers. Negative if a merged supplier's lists were put before the supplier's own. */
  first_number: Counter;
  /** Since when the supplier is being deleted, or merged into another one. */
  leaves_since: NullableTimestamp;
  merging_into: ColumnType<number | null, number | null | undefined>;
  merged: ColumnType<MergedSupplier | null, StorableJson | undefined, StorableJson | null>;
  /** Choice for quantities that both the lists and the store have changed. Null: the operator is asked. */
  stock_choice: ColumnType<'use-ours' | 'skip' | null, 'use-ours' | 'skip' | null | undefined>;
  /** Whether each list contains all products of the supplier. Null until the operator answers. */
  sends_complete: ColumnType<boolean | null, boolean | null | undefined>;
  /** Number of complete lists in a row that must lack a product before it counts as gone. */
  gone_after: Generated<number>;
  when_gone: Generated<GoneAction | 'nothing'>;
  guard_cost: ColumnType<number | null, number | null | undefined>;
  guard_column: ColumnType<string | null, string | null | undefined>;
  guard_change: ColumnType<number | null, number | null | undefined>;
  created_at: Timestamp;
};
export type SupplierRecord = Selectable<SuppliersTable>;

export type MergedSupplier = { name: string; twice: number; keys: string[] };

/** Features that a supplier's lists share, and the number of lists with each feature. */
export type SupplierSignsTable = {
  kind: SupplierSign['kind'];
  value: string;
  supplier: number;
  lists: Counter;
  last_at: Timestamp;
};

/** An import as its supplier's list. open: not pushed yet. counted: the items have the content of this list. */
export type SupplierListsTable = {
  supplier: number;
  number: number;
  import_id: string | null;
  filename: string;
  file_at: NullableTimestamp;
  sha256: string | null;
  state: Generated<'open' | 'counted' | 'not counted'>;
  fields: Generated<string[]>;
  /** The number of the counted list with which the rows were compared. */
  compared_with: number | null;
  counts: JsonColumn<ListCounts> | null;
  findings: JsonColumn<ListFindings> | null;
  answers: ColumnType<ListAnswers, StorableJson | undefined, StorableJson>;
  began_at: Timestamp;
  counted_at: NullableTimestamp;
  counted_run: ColumnType<number | null, number | null | undefined>;
  /** Whether the list is complete, so that items not in it count as missing. Null: partial, not counted, or old. */
  is_complete: ColumnType<boolean | null, undefined, boolean | null>;
  /** When a person planned, or full auto took, an action on the gone items. After that, full auto takes no action. */
  gone_acted_at: NullableTimestamp;
};
export type SupplierListRecord = Selectable<SupplierListsTable>;

/** Entries of suppliers' lists. Reading a list sets `our_id`. A list that counts sets the content. Keys may change. */
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
  /** The first list with the item, and the run that set its content there. Null: item_versions has the content. */
  first_list: number;
  first_run: number | null;
};

/** An item's content in a list, if it differs from the previous list. Valid while this run of the list counts. */
export type ItemVersionsTable = Pick<
  SupplierItemsTable,
  'supplier' | 'our_id' | 'title' | 'hashes' | 'price' | 'quantity' | 'gtin'
> & {
  item: number;
  list: number;
  run: number;
  /** If true, the list lacks the item, and the content is that of the previous list. */
  missed: Generated<boolean>;
  /** The same item under another key, as this list showed. Applies from this list on. Null: no such item. */
  same_as: number | null;
  /** The item's key before this list changed it. */
  key_before: string | null;
};

/** A row compared with the supplier's items. `item` stays valid if the item's key changes. `change`: bit flags. */
export type RowItemsTable = {
  import_id: string;
  run: number;
  row: number;
  item: number | null;
  our_id: string | null;
  change: number;
  /** The item's price × 10,000 before this list. Null without a price, or if the row may be another item. */
  price_then: ColumnType<number | null, number | null | undefined>;
};

/** Value of an item (`subject` i:<id>) or product (p:<our id>), null if taken back. `said_of`: the supplier's cell. */
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
   * When the value was set by hand. The epoch if it was set before an upgrade. Null if the list has no value of its
   * own. Of all lists' values, the one set last applies, unless a recipe was ordered later.
   */
  set_at: NullableTimestamp;
  /** When the value was stored or taken back. Lists that were read before this time do not have this change. */
  kept_at: Timestamp;
  said_in: string;
  import_id: string;
  /** A newer import in which the supplier has the same value. Once that list counts, the carried value is cleared. */
  settled_in: ColumnType<string | null, never, string | null>;
  /** The parse runs of `settled_in` that have the value. */
  settled_runs: ColumnType<number[] | null, never, never>;
};

/** A command on a supplier's list that can be repeated on the supplier's next list. */
export type SupplierRecipesTable = {
  id: Generated<string>;
  supplier: number;
  operations: ColumnType<Operation[], StorableJson, StorableJson>;
  target: ColumnType<StepTarget, StorableJson, never>;
  takes: ColumnType<RecipeInputs, StorableJson, StorableJson>;
  asks: ColumnType<RecipeMode, RecipeMode | undefined, RecipeMode>;
  position: number;
  /** Of the last use: the number of changed rows, the number of rows in the list, and the list's filename. */
  rows_last: number;
  rows_then: number;
  done_in: string;
  /** The import and time of the first command, and the time of the last use, by the operator or as a recipe. */
  made_in: string;
  made_at: Timestamp;
  done_at: Timestamp;
  /** When the operator last gave the command. The epoch if an upgrade left this time unknown. */
  ordered_at: Timestamp;
  /** When the command was last applied to a list other than its first. Null: never. */
  used_at: NullableTimestamp;
  version: Counter;
};
export type SupplierRecipe = Selectable<SupplierRecipesTable>;

type FileTablesTable = {
  import_id: string;
  tables: JsonColumn<FileTable[]>;
  /** Why some pictures of the file are not extracted, as a sentence. Null if all are extracted. */
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
