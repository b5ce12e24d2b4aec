import { useSearchParams } from 'react-router';
import { addressNow } from '../../../lib/address-now.ts';
import { undoParam } from '../../../lib/paths.ts';

/** The dialog of an undo, which the address opens (`?undo`). */
export function useUndoDialog(): { isOpened: boolean; turn: (isOn: boolean) => void } {
  const [search, setSearch] = useSearchParams();
  const turn = (isOn: boolean) => {
    const next = addressNow();
    if (isOn) next.set(undoParam, 'push');
    else next.delete(undoParam);
    setSearch(next, { replace: true, preventScrollReset: true });
  };
  return { isOpened: search.has(undoParam), turn };
}
