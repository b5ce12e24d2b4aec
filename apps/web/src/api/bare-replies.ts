import type { Job, JobWithRows } from '@draftshelf/contract/imports/imports';
import type { ActivityItem, CurrentJob, PushedHour } from '@draftshelf/contract/operate/dashboard';
import type { StoreProduct } from '@draftshelf/contract/push/store';
import type { ScannedProduct } from '@draftshelf/contract/scanner/scanner';
import { dimensionsDefault, weightDefault } from '@draftshelf/domain/scanner/scanned-product';
import type { Reply } from './call.ts';

type Completed = Reply<'listCompleted'>[number];

// A reply with the specification's fields only can be shown too. What it leaves out is as if nothing had happened.

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

const notOfImport = { importId: null } satisfies Partial<ActivityItem>;
const nothingUndone = { undone: 0 } satisfies Partial<PushedHour>;
const notAsking = { isAsking: false } satisfies Partial<CurrentJob>;

const importAdditions = {
  ...currentAdditions,
  pausedFrom: null,
  pausedBy: null,
  totalRows: 0,
  inStore: 0,
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
  autoMode: null,
  autoPushAt: null,
  autoHeld: null,
  nextRetryAt: null,
  autoRetries: 0,
  rowsRemovedAt: null,
  fileRemovedAt: null,
  isBeingDeleted: false,
} satisfies Partial<Job>;

const detailAdditions = {
  csvDataTotal: 0,
  tasks: [],
  beforePush: null,
  proposals: 0,
  newestProposal: null,
  mappingSet: { byOperator: 0, byMemory: 0, from: null },
  undone: 0,
} satisfies Partial<JobWithRows>;

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

const productAdditions = { vendor: '', images: [], variants: [] } satisfies Partial<StoreProduct>;

const storeAdditions = {
  name: null,
  domain: null,
  myshopify_domain: null,
  currency: null,
  plan_name: null,
  email: null,
  push_pace: null,
  total_products: null,
} satisfies Partial<Reply<'getStore'>>;

const completedAdditions = { otherCurrency: null, shop: null } satisfies Partial<Completed>;

export const fullImport = (record: Job): Job => ({ ...importAdditions, ...record });

export const fullDetails = (record: JobWithRows): JobWithRows => ({
  ...importAdditions,
  ...detailAdditions,
  ...record,
});

export const fullCurrent = (record: CurrentJob): CurrentJob => ({
  ...currentAdditions,
  ...notAsking,
  ...record,
});

export const fullActivity = (item: ActivityItem): ActivityItem => ({ ...notOfImport, ...item });

export const fullHour = (hour: PushedHour): PushedHour => ({ ...nothingUndone, ...hour });

/** A product of the library as the screens read it. */
export type ShownScanned = Omit<ScannedProduct, 'version' | 'createdAt' | 'changedAt'> & {
  version: number | null;
  createdAt: string | null;
  changedAt: string | null;
};

/** Prices of the specification are numbers, and its descriptions may be missing. */
export const fullScanned = (product: ScannedProduct): ShownScanned => ({
  ...scannedAdditions,
  ...product,
  description: product.description ?? '',
  price: String(product.price),
});

export const fullStoreProduct = (product: StoreProduct): StoreProduct => ({
  ...productAdditions,
  ...product,
});

export const fullStore = (store: Reply<'getStore'>): Reply<'getStore'> => ({ ...storeAdditions, ...store });

export const fullCompleted = (record: Completed): Completed => ({ ...completedAdditions, ...record });
