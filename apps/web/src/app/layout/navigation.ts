import {
  IconAdjustments,
  IconBarcode,
  IconBuildingStore,
  IconHistory,
  IconLayoutDashboard,
  IconListCheck,
  IconTruckDelivery,
  IconUpload,
} from '@tabler/icons-react';
import { suppliersPath } from '../../lib/paths.ts';

export type NavigationItem = {
  path: string;
  label: string;
  /** Null: the specification has no entry in the bottom bar. */
  shortLabel: string | null;
  icon: typeof IconUpload;
  key: string;
  /** Shown from the first supplier on that has a second list or a name. */
  isOfSuppliers?: true;
};

export const navigation: readonly NavigationItem[] = [
  { path: '/', label: 'Dashboard', shortLabel: 'Dashboard', icon: IconLayoutDashboard, key: 'd' },
  { path: '/upload', label: 'Upload CSV', shortLabel: 'Upload', icon: IconUpload, key: 'u' },
  { path: '/queue', label: 'Processing Queue', shortLabel: 'Queue', icon: IconListCheck, key: 'q' },
  { path: '/history', label: 'History', shortLabel: 'History', icon: IconHistory, key: 'h' },
  {
    ...{ path: suppliersPath, label: 'Suppliers', shortLabel: null, icon: IconTruckDelivery, key: 'l' },
    isOfSuppliers: true,
  },
  { path: '/shopify', label: 'Shopify Integration', shortLabel: null, icon: IconBuildingStore, key: 's' },
  { path: '/scanner', label: 'Product Scanner', shortLabel: 'Scanner', icon: IconBarcode, key: 'p' },
  { path: '/settings', label: 'Settings', shortLabel: 'Settings', icon: IconAdjustments, key: ',' },
];
