/** A pause that can be ended early. A wake-up before the pause ends it at once, so that no notification is lost. */
export function createPause() {
  let isAwake = false;
  let end: (() => void) | null = null;
  return {
    wakeUp(): void {
      isAwake = true;
      end?.();
    },
    /** Infinity: until it is ended. */
    async wait(milliseconds: number): Promise<void> {
      if (!isAwake) {
        await new Promise<void>((resolve) => {
          const timer = milliseconds === Infinity ? undefined : setTimeout(resolve, milliseconds);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        end = null;
      }
      isAwake = false;
    },
  };
}
