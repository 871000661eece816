/** `npm start`: enables the compile cache, handles signals, then loads the platform. */
import './commands/production.ts';
import './commands/startup.ts';

// a static import would be loaded before the cache is enabled, which doubles the CPU time of loading
await import('./commands/start.ts');
