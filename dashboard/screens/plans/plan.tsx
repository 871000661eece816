/** One plan. */
import { Screen } from '../../parts/screen.tsx';

export const Plan = () => <Screen title="Plan">{null}</Screen>;
