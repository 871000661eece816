/** The accounts. */
import { Screen } from '../../parts/screen.tsx';

export const Accounts = () => <Screen title="Accounts">{null}</Screen>;
