import type { Job, JobWithRows } from '@draftshelf/contract/imports/imports';
import type { ActivityItem, CurrentJob, PushedHour } from '@draftshelf/contract/operate/dashboard';
import type { StoreProduct } from '@draftshelf/contract/push/store';
import type { ScannedProduct } from '@draftshelf/contract/scanner/scanner';
import { unknownShop } from '@draftshelf/contract/wire';
import { dimensionsDefault, weightDefault } from '@draftshelf/domain/scanner/scanned-product';
import type { Reply } from './call.ts';

// Completes a reply with defaults for the fields that it may lack.

const filled =
  <T extends object>(additions: Partial<T>) =>
  (reply: T): T => ({ ...additions, ...reply });

const outcomes = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 };

const currentAdditions = {
  failedIn: null,
  validProducts: 0,
  warningProducts: 0,
  errorProducts: 0,
  outcomes,
  foundSincePush: 0,
  waitingFor: null,
  waitingUntil: null,
  pace: null,
  isUndoing: false,
  startedAt: null,
  errorMessage: null,
} satisfies Partial<CurrentJob>;

const importAdditions = {
  ...currentAdditions,
  pausedFrom: null,
  pausedBy: null,
  totalRows: 0,
  inStore: 0,
  draftsUrl: null,
  testMode: false,
  shop: null,
  fieldMapping: {},
  dialect: null,
  rereading: null,
  editsWithoutRow: 0,
  sameAs: null,
  sameFilename: null,
  source: 'upload',
  sourceRef: null,
  isUnreadable: false,
  otherCurrency: null,
  columnQuestions: 0,
  asksRecipes: false,
  autoMode: null,
  autoPushAt: null,
  autoHeld: null,
  nextRetryAt: null,
  autoRetries: 0,
  rowsRemovedAt: null,
  fileRemovedAt: null,
  isBeingDeleted: false,
  supplier: null,
} satisfies Partial<Job>;

export const fillImport = filled<Job>(importAdditions);

export const fillImportDetails = filled<JobWithRows>({
  ...importAdditions,
  csvDataTotal: 0,
  tasks: [],
  beforePush: null,
  proposals: 0,
  newestProposal: null,
  pictures: 0,
  mappingSet: { byOperator: 0, byMemory: 0, from: null },
  undone: 0,
  list: null,
});

export const fillCurrentImport = filled<CurrentJob>({
  ...currentAdditions,
  isAsking: false,
  pricesToDecide: 0,
});

export const fillActivity = filled<ActivityItem>({ importId: null });

export const fillPushedHour = filled<PushedHour>({ undone: 0 });

const scannedAdditions = {
  upc: null,
  dimensions: dimensionsDefault,
  weight: weightDefault,
  photos: [],
  status: 'active',
  version: null,
  createdAt: null,
  changedAt: null,
  syncedAt: null,
  storeUrl: null,
  batches: [],
};

export type ShownScanned = Omit<ScannedProduct, 'version' | 'createdAt' | 'changedAt'> & {
  version: number | null;
  createdAt: string | null;
  changedAt: string | null;
};

/** Completes a product, whose price may be a number and whose description may be absent. */
export const fillScannedProduct = (product: ScannedProduct): ShownScanned => ({
  ...scannedAdditions,
  ...product,
  description: product.description ?? '',
  price: String(product.price),
});

export const fillStoreProduct = filled<StoreProduct>({ vendor: '', images: [], variants: [] });

export const fillStore = filled<Reply<'getStore'>>(unknownShop);

export const fillCompletedImport = filled<Reply<'listCompleted'>[number]>({
  otherCurrency: null,
  columnQuestions: 0,
  asksRecipes: false,
  shop: null,
});
