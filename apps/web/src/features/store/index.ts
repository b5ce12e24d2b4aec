export { CredentialsForm } from './credentials-form.tsx';
export { useCollections, useInventorySync } from './store-api.ts';
