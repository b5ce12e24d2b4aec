import type { EndpointName } from '@draftshelf/contract/paths';
import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query';
import { CallError, toCacheKey } from './call.ts';

export type ChangeCall = {
  name: EndpointName;
  params?: Record<string, string | number>;
  query?: unknown;
  body?: unknown;
  error?: Error | null;
};

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: { changes?: (input: never) => readonly ChangeCall[] };
    /** `held` returns true if a change must not refresh the read, for example because a list must keep its rows. */
    queryMeta: { held?: (change: ChangeCall) => boolean };
  }
}

/** Reads to refresh: all reads at or below an endpoint's path with the call's params, or all that match a filter. */
type Reads = EndpointName | `/${string}` | ((params: Record<string, string | number>) => QueryFilters);

/** Matches the pages of the list of imports, but no single import. */
export const importListFilter: QueryFilters = {
  queryKey: toCacheKey('listImports'),
  predicate: ({ queryKey }) => typeof queryKey[1] !== 'string',
};

export const importKey = (id: string | number) => toCacheKey('getImport', { id }, { rows: '0' });

const ofImports = (isMeant: (below: unknown) => boolean) => (): QueryFilters => ({
  queryKey: toCacheKey('listImports'),
  predicate: ({ queryKey }) => isMeant(queryKey[2]),
});

const lists: readonly Reads[] = [() => importListFilter, 'listHistory'];
const wholeImport: readonly Reads[] = [...lists, 'getImport'];
const record: readonly Reads[] = [...lists, ({ id = '' }) => ({ queryKey: importKey(id) })];
const records: readonly Reads[] = [...lists, ofImports((below) => typeof below === 'object')];
export const staleAfterEdits: readonly EndpointName[] = [
  ...(['listRows', 'getPlan', 'listProposals', 'listCommands', 'listPictures', 'getValuesSample'] as const),
];
const editedRows: readonly Reads[] = [...staleAfterEdits, ...record];
/** A deleted supplier is not read again: its page is still shown for a moment, and the read would fail. */
const afterSupplierGoes = ({ error, params }: ChangeCall): readonly Reads[] =>
  error
    ? ['listSuppliers']
    : [
        () => ({
          queryKey: toCacheKey('listSuppliers'),
          predicate: ({ queryKey }) => queryKey[1] !== String(params?.id),
        }),
      ];
/** A deleted import is not read again, because the read would fail. */
const afterImportGoes = ({ error }: ChangeCall): readonly Reads[] => (error ? wholeImport : lists);
const storeProducts: readonly Reads[] = ['listStoreProducts', 'getStore', 'getStoreMedian'];

const staleAfter: { [N in EndpointName]?: readonly Reads[] | ((change: ChangeCall) => readonly Reads[]) } = {
  // A new store makes all earlier reads of the store stale, and a real store replaces the simulated sources.
  saveCredentials: ['listConnections', '/api/shopify', 'listSources'],
  removeCredentials: ['listConnections', '/api/shopify', 'listSources'],
  testConnection: ['listConnections'],
  savePreferences: ['getRetention'],
  // The settings contain the folders to watch, so a save makes the read folders stale.
  saveSettings: ['/api/folders'],

  saveAi: ['readAi'],
  removeAiKey: ['readAi'],
  testAi: ['readAi'],
  askAi: ['readAiOfImport', ...record],
  stopAi: ['readAiOfImport', ...record],
  reprocessImages: wholeImport,
  applyRules: wholeImport,
  changeSources: ['listConnections'],
  saveSourceKey: ['listSources', 'listConnections'],
  removeSourceKey: ['listSources', 'listConnections'],

  lookNow: ['listFolders'],
  takeWatchedFile: ['listFolders'],
  answerExistingFiles: ['listFolders'],
  cancelSignIn: ['getSignIn'],
  disconnectOneDrive: ['listFolders', 'listConnections'],
  keepFeed: ['getFeed', 'listSuppliers', 'listImports'],
  changeFeed: ['getFeed'],
  fetchFeed: ['getFeed'],
  removeFeed: ['getFeed'],

  pauseImport: wholeImport,
  resumeImport: wholeImport,
  cancelImport: wholeImport,
  markImportReady: wholeImport,
  pushImport: wholeImport,
  retryImport: wholeImport,
  readAgain: wholeImport,
  deleteImport: afterImportGoes,
  answerOtherCurrency: record,
  answerAutoPush: wholeImport,
  stopAutoRetry: record,

  beginAudit: ['getAudit'],
  keepNewestLink: ['getAudit'],
  retryDeadWork: ['listDeadWork', 'listWork'],
  giveUpImport: ['listDeadWork', 'listWork'],
  giveUpTask: ['listDeadWork', 'listWork'],
  retryCause: ['listDeadWork', 'listWork'],
  giveUpCause: ['listDeadWork', 'listWork'],
  resetDashboard: ['/api/dashboard'],

  testStore: ['getStore', 'listConnections'],
  syncInventory: storeProducts,
  pushBatch: ['/api/jobs', ...storeProducts],
  beginPlan: ({ query }) =>
    (query as { unasked?: string } | undefined)?.unasked ? ['getPlan'] : wholeImport,
  // A choice reduces the number of open decisions, which is part of the push plan.
  makeChoices: ['getPlan', ...record],
  previewPushUndo: ['getPushUndo'],
  chooseUndo: ['getPushUndo'],
  undoPush: [...wholeImport, 'getDashboardCurrent'],
  planGone: ['getGone'],
  pushGone: ['getGone', ...record],

  chooseCategory: ['getReadiness', 'getPlan'],
  changeDialect: [...wholeImport, 'listMappings'],
  changeMapping: [...wholeImport, 'listMappings'],
  answerReadings: [...wholeImport, 'listMappings'],
  forgetMapping: ['listMappings'],

  editRow: editedRows,
  applyEdits: editedRows,
  resumeEdits: editedRows,
  undoEdits: editedRows,
  applyCorrections: editedRows,
  chooseProduct: editedRows,
  decideProposal: wholeImport,
  decideProposals: wholeImport,
  answerRecipes: ['listRecipes', ...editedRows],
  changeRecipe: ['listSuppliers', ofImports((below) => below === 'recipes')],
  removeRecipe: ['listSuppliers', ofImports((below) => below === 'recipes')],

  createScanned: ['listScanned'],
  updateScanned: ['listScanned'],
  deleteScanned: ['listScanned'],
  syncScanned: ['listScanned'],

  forgetOwnValues: ['listSuppliers'],
  forgetSign: ['listSuppliers'],
  forgetSettled: ['listSuppliers'],
  mergeSupplier: afterSupplierGoes,
  deleteSupplier: afterSupplierGoes,
  renameSupplier: ['listSuppliers', ...records],
  answerSupplier: ['listSuppliers', ...records],
  setSupplier: wholeImport,
  answerList: ['listSuppliers', ...record],
};

/** Calls that do not wait until stale reads are repeated, so that the operator can continue at once. */
const readBehind: ReadonlySet<EndpointName> = new Set<EndpointName>([
  ...(['saveSettings', 'forgetMapping', 'editRow', 'applyEdits', 'resumeEdits', 'undoEdits'] as const),
  ...(['applyCorrections', 'chooseProduct', 'createScanned', 'updateScanned'] as const),
]);

/** Whether the server has refused the call, so that nothing has changed. */
const isRefused = (error: Error | null | undefined): boolean =>
  error instanceof CallError && [400, 401, 403, 413, 422].includes(error.status);

/** Resolves when the stale reads have been repeated, or at once for calls that do not wait. */
export async function refreshAfter(client: QueryClient, changes: readonly ChangeCall[]): Promise<void> {
  await Promise.all(
    changes.map((change) => {
      // If several calls were made, some may have succeeded before one was refused.
      const isDone = changes.length > 1 || !isRefused(change.error);
      const isRead = isDone ? readAfter(client, change) : Promise.resolve();
      return readBehind.has(change.name) ? undefined : isRead;
    }),
  );
}

function readAfter(client: QueryClient, change: ChangeCall): Promise<unknown> {
  const stale = staleAfter[change.name] ?? [];
  const reads = typeof stale === 'function' ? stale(change) : stale;
  const params = change.params ?? {};
  const filters = reads.map((read) =>
    typeof read === 'function' ? read(params) : { queryKey: toCacheKey(read, params) },
  );
  return Promise.all(
    filters.map(({ predicate, ...filter }) =>
      client.invalidateQueries({
        ...filter,
        predicate: (query: Query) => (predicate?.(query) ?? true) && !(query.meta?.held?.(change) ?? false),
      }),
    ),
  );
}
