// Each script counts one request for a key, at once for all processes. It gets the time in ms, the limit, the length of
// the window in ms and a unique word, and returns: accepted, remaining, when the limit resets and when to retry, in ms.

/** Two counters of windows aligned to the clock; the earlier one counts by what the window still covers of it. */
export const slidingCounter = `
local now, limit, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local index = math.floor(now / window)
local into = now - index * window
local current = tonumber(redis.call('GET', KEYS[1] .. index) or '0')
local before = tonumber(redis.call('GET', KEYS[1] .. (index - 1)) or '0')
local used = before * (window - into) / window + current
local reset = (index + 1) * window
if used + 1 > limit then
  local from, at, falling = index * window, current, before
  if current + 1 > limit then from, at, falling = reset, 0, current end
  local retry = from + window * (1 - (limit - 1 - at) / math.max(falling, 1))
  return {0, 0, reset, math.ceil(math.max(retry, now + 1))}
end
redis.call('INCR', KEYS[1] .. index)
redis.call('PEXPIRE', KEYS[1] .. index, window * 3)
return {1, math.floor(limit - used - 1), reset, now}`;

/** A window that begins with the first request. */
export const fixedWindow = `
local now, limit, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], window) end
local reset = now + redis.call('PTTL', KEYS[1])
if count > limit then return {0, 0, reset, reset} end
return {1, limit - count, reset, now}`;

/** A log of the times of all requests, each a member of a sorted set. */
export const slidingLog = (member = 'now .. ARGV[4]') => `
local now, limit, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
local count = redis.call('ZCARD', KEYS[1])
local oldest = tonumber(redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2] or now)
if count >= limit then return {0, 0, oldest + window, oldest + window} end
redis.call('ZADD', KEYS[1], now, ${member})
redis.call('PEXPIRE', KEYS[1], window)
return {1, limit - redis.call('ZCARD', KEYS[1]), oldest + window, now}`;

/** The theoretical arrival time of GCRA, with a burst of the limit. */
export const gcra = `
local now, limit, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local apart = window / limit
local tat = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
if tat + apart - now > window + 0.001 then return {0, 0, math.ceil(tat), math.ceil(tat + apart - window)} end
redis.call('SET', KEYS[1], tostring(tat + apart), 'PX', math.ceil(window * 2))
return {1, math.floor((window - (tat + apart - now)) / apart + 0.001), math.ceil(tat + apart), now}`;

/** EXPIRE after every INCR: the window begins again with each request. */
export const expiredAfterEach = `
local now, limit, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local count = redis.call('INCR', KEYS[1])
redis.call('PEXPIRE', KEYS[1], window)
if count > limit then return {0, 0, now + window, now + window} end
return {1, limit - count, now + window, now}`;

/** INCR without EXPIRE: the counter never ends. */
export const neverExpired = `
local now, limit, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local count = redis.call('INCR', KEYS[1])
if count > limit then return {0, 0, now + window, now + window} end
return {1, limit - count, now + window, now}`;

/** The sliding counter with the weight of the earlier window the wrong way round. */
export const weightInverted = slidingCounter.replace(
  'before * (window - into) / window',
  'before * into / window',
);

/** A window of half the length. */
export const windowHalved = fixedWindow.replace('KEYS[1], window)', 'KEYS[1], window / 2)');
