export { CredentialsForm } from './credentials-form.tsx';
export {
  readProductsAgain,
  testConnection,
  useCollections,
  useInventorySync,
  useProductTest,
} from './store-api.ts';
