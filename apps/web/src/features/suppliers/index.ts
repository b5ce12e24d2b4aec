export { useNamedSuppliers } from './named-suppliers.ts';
