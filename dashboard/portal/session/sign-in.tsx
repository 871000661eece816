/** The sign-in page of the portal. */
import { SignIn as SharedSignIn } from '../../session/sign-in.tsx';

export const SignIn = () => <SharedSignIn contact="an owner of your account" />;
