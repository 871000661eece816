/** Moves the focus to the heading of a screen after navigation, so that screen readers announce the screen. */
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

export function useHeadingFocus(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        // not after the first load and after changes of filters and pages
        if (fromLocation === undefined || !pathChanged) return;
        document.querySelector<HTMLElement>('#screen h1')?.focus({ preventScroll: true });
      }),
    [router],
  );
}
