export { CredentialsForm } from './credentials-form.tsx';
export { useCollections, useInventorySync, useProductTest } from './store-api.ts';
