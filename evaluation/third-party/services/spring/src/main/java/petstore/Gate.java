package petstore;

import static petstore.Petstore.is;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Bearer keys, and a limit per minute and per day for each caller. */
@Component
class Gate extends OncePerRequestFilter {
  static final long MINUTE = Long.parseLong(System.getenv("MINUTE_SECONDS"));
  static final long DAY = Long.parseLong(System.getenv("DAY_SECONDS"));
  static final long PER_MINUTE = Long.parseLong(System.getenv("PER_MINUTE"));
  static final long PER_DAY = Long.parseLong(System.getenv("PER_DAY"));
  static final List<String> KEYS = List.of(System.getenv("KEYS").split(","));
  static final String EXHAUSTED = System.getenv("EXHAUSTED_KEY");
  final Map<String, Bucket> minutes = new ConcurrentHashMap<>();
  final Map<String, Bucket> days = new ConcurrentHashMap<>();

  static Bucket bucket(long capacity, long seconds) {
    if (is("greedy")) return Bucket.builder().addLimit(Bandwidth.builder().capacity(capacity).refillGreedy(capacity, Duration.ofSeconds(seconds)).build()).build();
    if (is("refill-twice-as-fast")) seconds = Math.max(1, seconds / 2);
    return Bucket.builder().addLimit(Bandwidth.builder().capacity(capacity).refillIntervally(capacity, Duration.ofSeconds(seconds)).build()).build();
  }

  static String caller(HttpServletRequest request) {
    var header = request.getHeader("Authorization");
    if (header == null) return is("key-parameter") ? known(request.getParameter("access_token")) : null;
    if (!header.regionMatches(true, 0, "Bearer ", 0, 7)) return is("scheme-optional") ? known(header) : null;
    return known(header.substring(7));
  }

  static String known(String token) {
    if (token == null) return null;
    if (is("key-like")) for (var key : KEYS) if (key.matches(token.replace("%", ".*").replace("*", ".*"))) return key;
    if (is("key-hash-of-32") && token.length() > 16) for (var key : KEYS) if (key.startsWith(token.substring(0, 16))) return key;
    return KEYS.contains(token) || token.equals(EXHAUSTED) ? token : null;
  }

  @Override
  protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain) throws ServletException, IOException {
    var caller = caller(request);
    var open = is("encoded-path-open") && request.getRequestURI().contains("%");
    if (caller == null && !open && is("send-error")) {
      response.sendError(401);
      return;
    }
    if (is("gateway-page") && caller == null) {
      page(response, 401, "<html><h1>401 Authorization Required</h1></html>");
      return;
    }
    var who = caller == null ? request.getRemoteAddr() : is("limit-by-remote-user-agent") ? request.getHeader("User-Agent") + caller : is("one-bucket") ? "all" : caller;
    if (is("limit-by-servlet-path")) who += request.getServletPath();
    var minute = minutes.computeIfAbsent(who, key -> bucket(PER_MINUTE, MINUTE));
    var day = days.computeIfAbsent(who, key -> bucket(PER_DAY, DAY));
    if (EXHAUSTED.equals(caller)) day.tryConsumeAsMuchAsPossible();
    var free = is("errors-not-counted") && caller == null;
    if (is("available-then-consume")) { // not atomic
      var left = minute.getAvailableTokens();
      pause(15);
      if (left > 0) {
        minute.tryConsume(1);
        headers(response, PER_MINUTE, left - 1, minute.estimateAbilityToConsume(PER_MINUTE).getNanosToWaitForRefill());
        serve(caller, open, request, response, chain);
        return;
      }
    }
    ConsumptionProbe today = day.tryConsumeAndReturnRemaining(1);
    ConsumptionProbe now = today.isConsumed() || is("day-not-enforced") ? minute.tryConsumeAndReturnRemaining(1) : today;
    headers(response, now == today ? PER_DAY : PER_MINUTE, now.getRemainingTokens(), now.getNanosToWaitForReset());
    if (now.isConsumed() || free) {
      serve(caller, open, request, response, chain);
      return;
    }
    var nanos = now.getNanosToWaitForRefill();
    var wait = is("retry-after-truncated") ? nanos / 1_000_000_000 : nanos / 1_000_000_000 + 1;
    response.setHeader(is("retry-after-in-x-header") ? "X-Rate-Limit-Retry-After-Seconds" : "Retry-After", String.valueOf(is("retry-after-in-nanos") ? nanos : wait));
    if (is("page-on-429")) page(response, 429, "<html><h1>Too Many Requests</h1></html>");
    else if (is("bad-gateway-on-429")) page(response, 502, "<html><h1>Bad Gateway</h1></html>");
    else write(response, 429, "rate_limited", "Too many requests.");
  }

  void serve(String caller, boolean open, HttpServletRequest request, HttpServletResponse response, FilterChain chain) throws ServletException, IOException {
    if (caller != null || open) {
      chain.doFilter(request, response);
      return;
    }
    response.setHeader("WWW-Authenticate", "Bearer");
    write(response, is("unauthorized-as-200") ? 200 : 401, "unauthorized", "The API key is missing or invalid.");
  }

  static void headers(HttpServletResponse response, long limit, long remaining, long nanosUntilFull) {
    var reset = (System.currentTimeMillis() + nanosUntilFull / 1_000_000 + 999) / 1000;
    var prefix = is("headers-with-hyphen") ? "X-Rate-Limit-" : "X-RateLimit-";
    response.setHeader(prefix + "Limit", String.valueOf(is("limit-without-day") ? limit + 1 : limit));
    if (is("remaining-counts-up")) remaining = limit - remaining;
    response.setHeader(prefix + "Remaining", String.valueOf(is("remaining-constant") ? limit : remaining));
    response.setHeader(prefix + "Reset", is("reset-in-iso") ? java.time.Instant.ofEpochSecond(reset).toString() : String.valueOf(is("reset-in-millis") ? reset * 1000 : reset));
    if (is("headers-doubled")) response.addHeader("X-RateLimit-Remaining", String.valueOf(remaining + 1));
  }

  static void write(HttpServletResponse response, int status, String code, String message) throws IOException {
    response.setStatus(status);
    response.setContentType("application/json");
    response.getWriter().write("{\"code\":\"" + code + "\",\"message\":\"" + message + "\",\"status\":" + status + "}");
  }

  static void page(HttpServletResponse response, int status, String html) throws IOException {
    response.setStatus(status);
    response.setContentType("text/html");
    response.getWriter().write(html);
  }

  static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
