export { useHasNamedSupplier, useNamedSuppliers } from './suppliers-api.ts';
