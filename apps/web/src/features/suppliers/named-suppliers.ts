import { useQuery } from '@tanstack/react-query';
import { readOf } from '../../api/read.ts';

const freshMs = 30_000;
const none: never[] = [];

const useSuppliers = () => useQuery({ ...readOf('listSuppliers'), staleTime: freshMs }).data ?? none;

/** Whether there is a supplier with a second list, or one that the operator has named. */
export const useHasNamedSupplier = (): boolean => useSuppliers().some(({ isNamed }) => isNamed);

/** The suppliers by name, once there are two that screens name; before, none. */
export function useNamedSuppliers() {
  const data = useSuppliers();
  return data.filter(({ isNamed }) => isNamed).length < 2 ? none : data;
}
