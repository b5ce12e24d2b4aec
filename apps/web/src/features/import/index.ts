export { useCorrectedImport, useCorrectionsUpload } from './corrections/corrections-api.ts';
export {
  dashboardReads,
  type ShownActivity,
  type ShownCurrent,
  type ShownHour,
  useActivity,
  useCurrent,
  useFirstSteps,
  useKnownCurrentImports,
  usePushedHours,
  useStats,
  useUndoneCount,
} from './dashboard-api.ts';
export {
  type ImportActionName,
  type ImportPage,
  importsRead,
  type ShownImport,
  useAutoPushAnswer,
  useImportOnce,
  useImports,
  useImportsUntil,
  useStopRetries,
} from './imports-api.ts';
export { goneActionLabels } from './list/gone-words.ts';
export { shownKey, talliesOf } from './list/list-words.ts';
export { BudgetGauge } from './lookups/budget-gauge.tsx';
export { SourceQuotas } from './lookups/source-quotas.tsx';
export {
  choiceWords,
  DialectFields,
  type DialectKey,
  dialectKeys,
  dialectWords,
  type OfferedTable,
  type ReadDialect,
} from './mapping/dialect-fields.tsx';
export { mappingsRead, useRecalledMapping, useRecallMapping } from './mapping/mapping-api.ts';
export { focusColumnChip, MappingChip, useMappingChips } from './mapping/mapping-chip.tsx';
export { ColumnProfile, MappingChoice } from './mapping/mapping-choice.tsx';
export { applyDraft, candidateColumns, type MappingDraft, mapField } from './mapping/mapping-draft.ts';
export { MappingEditor } from './mapping/mapping-editor.tsx';
export {
  columnChipWords,
  fieldLabel,
  listsWords,
  missingColumnWords,
  missingFields,
  partialListSentence,
} from './mapping/mapping-words.ts';
export { RememberedMappings, RememberedNote } from './mapping/remembered-mappings.tsx';
export { PriceHistogram } from './prices/price-histogram.tsx';
export { ReadinessFields, readinessRead } from './readiness/readiness-fields.tsx';
export { targetWords } from './recipes/repeat-buttons.tsx';
export { type EarlierImport, type EarlierImports, useEarlierImports } from './report/report-api.ts';
export { ReportInUrl } from './report/report-drawer.tsx';
export type { OpenedImport } from './rows-address.ts';
export {
  ClassesBar,
  CompositionBar,
  compositionOf,
  countUploaded,
  isFailedByRows,
  lossesOf,
  outcomeParts,
  partWords,
  someOf,
} from './status/composition.tsx';
export {
  type AskingImport,
  CurrencyDialog,
  countOpenQuestions,
  heldResultWords,
  type PricedImport,
  useCurrencyGate,
} from './status/currency-gate.tsx';
export { FileLink, FileName, reasonOf, renderAutoState } from './status/import-cells.tsx';
export { ImportBar, ImportProgress, ProgressCaption, sentWords } from './status/import-progress.tsx';
export { cancelLabel, type Look, LookBadge, StatusBadge, statusLook } from './status/status-look.tsx';
export {
  CancelImportDialog,
  openDrafts,
  seeDraftsLabel,
  useImportActions,
} from './status/use-import-actions.tsx';
export { RunEndStatus, RunEndsNotice, RunningCount, useRunningCount } from './undo/run-ends-notice.tsx';
