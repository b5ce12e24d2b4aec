export { useHasNamedSupplier, useNamedSuppliers } from './named-suppliers.ts';
