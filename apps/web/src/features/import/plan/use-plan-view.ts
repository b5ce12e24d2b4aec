import { useNavigate, useSearchParams } from 'react-router';
import { addressNow } from '../../../lib/address-now.ts';

const name = 'plan';

/** The list of the plan that the address names (`?plan=skipped`), null: none. `show` opens another one, or none. */
export function usePlanView(): { view: string | null; show: (view: string | null) => void } {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const show = (view: string | null) => {
    const address = addressNow();
    if (view === null) address.delete(name);
    else address.set(name, view);
    void navigate({ search: address.toString() }, { replace: true, preventScrollReset: true });
  };
  return { view: search.get(name), show };
}
