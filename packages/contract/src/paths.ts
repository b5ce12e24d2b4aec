/** Method and path of each endpoint, by name. The web calls endpoints by name, so that it loads no schemas. */
export const paths = {
  // access
  login: 'POST /api/auth/login',
  logout: 'POST /api/auth/logout',
  logoutEverywhere: 'POST /api/auth/logout-everywhere',
  authStatus: 'GET /api/auth/status',
  listConnections: 'GET /api/connections',
  testConnection: 'POST /api/connections/test/:service',
  saveCredentials: 'PUT /api/connections/shopify/credentials',
  removeCredentials: 'DELETE /api/connections/shopify/credentials',
  getPreferences: 'GET /api/preferences',
  savePreferences: 'POST /api/preferences',
  listSecurityEvents: 'GET /api/system/security-events',
  getSettings: 'GET /api/settings',
  saveSettings: 'POST /api/settings',

  // enrich
  readAi: 'GET /api/ai',
  saveAi: 'PUT /api/ai',
  removeAiKey: 'DELETE /api/ai/key',
  testAi: 'POST /api/ai/test',
  readAiOfImport: 'GET /api/queue/:id/ai',
  askAi: 'POST /api/queue/:id/ai',
  stopAi: 'POST /api/queue/:id/ai/stop',
  reprocessImages: 'POST /api/queue/:id/reprocess-images',
  listRules: 'GET /api/rules',
  saveRules: 'PUT /api/rules',
  suggestRules: 'GET /api/rules/suggested',
  tryRules: 'POST /api/queue/:id/rules/try',
  applyRules: 'POST /api/queue/:id/rules/apply',
  listSources: 'GET /api/sources',
  changeSources: 'PATCH /api/sources',
  saveSourceKey: 'PUT /api/sources/:name/key',
  removeSourceKey: 'DELETE /api/sources/:name/key',
  forgetAnswers: 'POST /api/sources/forget',

  // folders
  listFolders: 'GET /api/folders',
  listWatchedFiles: 'GET /api/folders/:source/files',
  lookNow: 'POST /api/folders/:source/look',
  takeWatchedFile: 'POST /api/folders/:source/files/:id/take',
  answerExistingFiles: 'POST /api/folders/:source/existing',
  beginSignIn: 'POST /api/folders/onedrive/sign-in',
  getSignIn: 'GET /api/folders/onedrive/sign-in/:id',
  getLatestSignIn: 'GET /api/folders/onedrive/sign-in',
  cancelSignIn: 'DELETE /api/folders/onedrive/sign-in/:id',
  disconnectOneDrive: 'DELETE /api/folders/onedrive/sign-in',
  testFeed: 'POST /api/feeds',
  getFeedTest: 'GET /api/feeds/:id',
  keepFeed: 'POST /api/feeds/:id/supplier',
  getFeed: 'GET /api/suppliers/:id/feed',
  changeFeed: 'PUT /api/suppliers/:id/feed',
  fetchFeed: 'POST /api/suppliers/:id/feed/fetch',
  removeFeed: 'DELETE /api/suppliers/:id/feed',

  // imports
  findAnywhere: 'GET /api/find',
  listHistory: 'GET /api/history',
  listImports: 'GET /api/queue',
  getImport: 'GET /api/queue/:id',
  getJob: 'GET /api/jobs/:id',
  pauseImport: 'POST /api/queue/:id/pause',
  resumeImport: 'POST /api/queue/:id/resume',
  cancelImport: 'POST /api/queue/:id/cancel',
  markImportReady: 'POST /api/queue/:id/ready',
  pushImport: 'POST /api/queue/:id/push',
  answerOtherCurrency: 'POST /api/queue/:id/other-currency',
  answerAutoPush: 'POST /api/queue/:id/auto-push',
  stopAutoRetry: 'DELETE /api/queue/:id/auto-retry',
  retryImport: 'POST /api/jobs/:id/retry',
  readAgain: 'POST /api/queue/:id/read-again',
  deleteImport: 'DELETE /api/queue/:id',
  getReport: 'GET /api/queue/:id/report',
  getLedger: 'GET /api/queue/:id/ledger.csv',
  getFailedRows: 'GET /api/queue/:id/failed-rows.csv',
  getPushSeries: 'GET /api/queue/:id/push-series',

  // operate
  getAudit: 'GET /api/system/audit',
  beginAudit: 'POST /api/system/audit',
  keepNewestLink: 'POST /api/system/audit/keep-newest-link',
  getBackups: 'GET /api/system/backups',
  listConditions: 'GET /api/system/conditions',
  getDashboardStats: 'GET /api/dashboard/stats',
  getDashboardActivity: 'GET /api/dashboard/activity',
  getDashboardCurrent: 'GET /api/dashboard/current',
  getPushedHours: 'GET /api/dashboard/pushed',
  getUndoneProducts: 'GET /api/dashboard/undone',
  resetDashboard: 'POST /api/dashboard/reset',
  getFirstSteps: 'GET /api/dashboard/first-steps',
  listDeadWork: 'GET /api/system/dead-work',
  retryDeadWork: 'POST /api/system/dead-work/:importId/retry',
  giveUpImport: 'POST /api/system/dead-work/:importId/give-up',
  giveUpTask: 'POST /api/system/dead-work/:importId/tasks/:task/give-up',
  health: 'GET /api/health',
  ready: 'GET /api/ready',
  getRetention: 'GET /api/retention',
  systemInfo: 'GET /api/system/info',
  systemDebug: 'GET /api/system/debug',
  listWork: 'GET /api/system/work',
  retryCause: 'POST /api/system/work/retry',
  giveUpCause: 'POST /api/system/work/give-up',
  getWorkers: 'GET /api/system/workers',

  // push
  listCompleted: 'GET /api/jobs/completed',
  pushBatch: 'POST /api/shopify/products/batch',
  beginPlan: 'POST /api/queue/:id/plan',
  getPlan: 'GET /api/queue/:id/plan',
  listPlannedProducts: 'GET /api/queue/:id/plan/products',
  getPlannedProduct: 'GET /api/queue/:id/plan/products/:product',
  getPlanCsv: 'GET /api/queue/:id/plan.csv',
  makeChoices: 'POST /api/queue/:id/plan/choices',
  previewPushUndo: 'POST /api/queue/:id/push-undo/preview',
  getPushUndo: 'GET /api/queue/:id/push-undo',
  listUndoneProducts: 'GET /api/queue/:id/push-undo/products',
  listStoreChanges: 'GET /api/queue/:id/push-undo/products/:product/changes',
  chooseUndo: 'POST /api/queue/:id/push-undo/choices',
  undoPush: 'POST /api/queue/:id/undo-push',
  planGone: 'POST /api/queue/:id/gone/plan',
  getGone: 'GET /api/queue/:id/gone',
  listGoneProducts: 'GET /api/queue/:id/gone/products',
  pushGone: 'POST /api/queue/:id/gone/push',
  testStore: 'POST /api/shopify/test',
  getStore: 'GET /api/shopify/store',
  getStoreBudget: 'GET /api/shopify/budget',
  getStoreMedian: 'GET /api/shopify/median-price',
  listStoreProducts: 'GET /api/shopify/products',
  listCollections: 'GET /api/shopify/collections',
  dryRun: 'POST /api/shopify/dry-run',
  findCategories: 'GET /api/shopify/categories',
  getReadiness: 'GET /api/queue/:id/readiness',
  chooseCategory: 'PUT /api/queue/:id/categories',
  syncInventory: 'POST /api/shopify/sync-inventory',
  getSyncProgress: 'GET /api/shopify/sync-inventory',
  createProduct: 'POST /api/shopify/create-product',

  // reading
  changeDialect: 'POST /api/queue/:id/dialect',
  listTables: 'GET /api/queue/:id/tables',
  getMapping: 'GET /api/queue/:id/mapping',
  changeMapping: 'PUT /api/queue/:id/mapping',
  answerReadings: 'PUT /api/queue/:id/readings',
  listFields: 'GET /api/csv/fields',
  listMetafields: 'GET /api/csv/metafields',
  listMappings: 'GET /api/mappings',
  forgetMapping: 'DELETE /api/mappings/:fingerprint',
  recallMapping: 'POST /api/mappings/recall',
  previewReread: 'POST /api/queue/:id/reread-preview',
  fastUpload: 'POST /api/fast-upload',
  uploadCsv: 'POST /api/upload',
  findEarlierImport: 'GET /api/upload/earlier',
  getValuesSample: 'GET /api/queue/:id/values-sample',

  // review
  previewEdits: 'POST /api/queue/:id/edits/preview',
  applyEdits: 'POST /api/queue/:id/edits',
  resumeEdits: 'POST /api/queue/:id/edits/:command/resume',
  getCorrections: 'GET /api/queue/:id/corrections.csv',
  uploadCorrections: 'POST /api/queue/:id/corrections',
  readCorrections: 'GET /api/queue/:id/corrections/:corrections',
  applyCorrections: 'POST /api/queue/:id/corrections/:corrections/apply',
  getCorrectionsReport: 'GET /api/queue/:id/corrections/:corrections/report.csv',
  findCorrectedImport: 'GET /api/corrected/:key',
  listCommands: 'GET /api/queue/:id/edits',
  listRowEdits: 'GET /api/queue/:id/rows/:row/history',
  listValues: 'GET /api/queue/:id/values',
  listPictures: 'GET /api/queue/:id/pictures',
  getPicturesCsv: 'GET /api/queue/:id/pictures.csv',
  chooseProduct: 'POST /api/queue/:id/pictures/:n/product',
  listProposals: 'GET /api/queue/:id/proposals',
  decideProposal: 'POST /api/queue/:id/proposals/:proposal',
  decideProposals: 'POST /api/queue/:id/proposals/decide',
  listRecipes: 'GET /api/queue/:id/recipes',
  previewRecipe: 'POST /api/queue/:id/recipes/:recipe/preview',
  answerRecipes: 'POST /api/queue/:id/recipes',
  listSupplierRecipes: 'GET /api/suppliers/:id/recipes',
  changeRecipe: 'PATCH /api/suppliers/:id/recipes/:recipe',
  removeRecipe: 'DELETE /api/suppliers/:id/recipes/:recipe',
  listRows: 'GET /api/queue/:id/rows',
  getProduct: 'GET /api/queue/:id/products/:product',
  editRow: 'PATCH /api/queue/:id/rows/:row',
  undoEdits: 'POST /api/queue/:id/edits/:command/undo',

  // scanner
  lookUpCode: 'POST /api/scanner/look-up',
  addPhoto: 'POST /api/queue/:id/photos',
  createUpload: 'POST /api/objects/upload',
  listScanned: 'GET /api/scanner/products',
  createScanned: 'POST /api/scanner/products',
  getScanned: 'GET /api/scanner/products/:id',
  updateScanned: 'PUT /api/scanner/products/:id',
  deleteScanned: 'DELETE /api/scanner/products/:id',
  addToBatch: 'POST /api/scanner/products/:id/add-to-batch',
  checkBatch: 'GET /api/scanner/batches/:id',
  syncScanned: 'POST /api/scanner/products/:id/sync-shopify',

  // suppliers
  listSuppliers: 'GET /api/suppliers',
  summarizeSuppliers: 'GET /api/suppliers/summaries',
  getSupplier: 'GET /api/suppliers/:id',
  listOwnValues: 'GET /api/suppliers/:id/values',
  forgetOwnValues: 'POST /api/suppliers/:id/values/forget',
  forgetSign: 'POST /api/suppliers/:id/signs/forget',
  forgetSettled: 'POST /api/suppliers/:id/settled/forget',
  mergeSupplier: 'POST /api/suppliers/:id/merge',
  deleteSupplier: 'DELETE /api/suppliers/:id',
  findSupplier: 'POST /api/suppliers/find',
  renameSupplier: 'PATCH /api/suppliers/:id',
  answerSupplier: 'PUT /api/suppliers/:id/answers',
  setSupplier: 'PUT /api/queue/:id/supplier',
  answerList: 'PUT /api/queue/:id/list',
  listMissing: 'GET /api/queue/:id/list/missing',
  getListChanges: 'GET /api/queue/:id/list/changes.csv',
} as const satisfies Record<string, `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`>;

export type EndpointName = keyof typeof paths;

type NameIn<Path> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NameIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The names of an endpoint's path parameters. */
export type ParamName<N extends EndpointName> = NameIn<(typeof paths)[N]>;

/** Returns the method and path of an endpoint. */
export function endpointOf(name: EndpointName): { method: string; path: string } {
  const [method = '', path = ''] = paths[name].split(' ');
  return { method, path };
}

/** Fills in the `:name` parameters of a path, URL-encoded. Throws if a parameter is missing. */
export function pathOf(path: string, params: Record<string, string | number> = {}): string {
  return path.replace(/:(\w+)/g, (_match, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`The path ${path} needs the parameter ${name}`);
    return encodeURIComponent(value);
  });
}
