/** Opens and closes the details of an event, whose ID is in the URL. */
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Returns a function that selects an event, or none. It keeps the page of the list. */
export function useSelectEvent(): (event: string | undefined) => void {
  const navigate = useNavigate({ from: '/events' });
  return useCallback(
    (event) =>
      void navigate({
        to: '.',
        search: (search) => ({ ...search, event }),
        state: (state) => state,
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
}
