/** One account. */
import { Screen } from '../../parts/screen.tsx';

export const Account = () => <Screen title="Account">{null}</Screen>;
