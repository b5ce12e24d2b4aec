import { useAddressParam } from '../../../ui/hooks/use-address-param.ts';

/** The list of the plan that the address opens (`?plan=skipped`), and how to open another one; null: none is open. */
export const usePlanView = () => useAddressParam('plan');
