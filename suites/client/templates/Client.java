// A client of the Pet Store Service for Java 17 or newer, without dependencies. It waits Retry-After (seconds or
// HTTP-date), adds exponential backoff with jitter to it, gives up after six attempts, and retries 429 alone. All tasks
// of a key wait at one gate. Replace list and create by calls of your own client, and keep the rest.
import java.net.URI;
import java.net.http.*;
import java.time.*;
import java.time.format.DateTimeFormatter;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;

public class Client {
    static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    static final AtomicLong closedUntil = new AtomicLong(now()); // The gate of the key: until then no task sends (ms).

    static long now() {
        return System.nanoTime() / 1_000_000;
    }

    static long retryAfterMs(String value) {
        if (value.matches("[0-9]{1,9}")) return Long.parseLong(value) * 1000;
        try {
            var at = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME);
            return Math.max(0, Duration.between(Instant.now(), at).toMillis() + 1);
        } catch (DateTimeException unreadable) {
            return 0;
        }
    }

    static boolean send(HttpRequest.Builder request) throws Exception {
        request.uri(URI.create(System.getenv("PETSTORE_TARGET") + "/categories"));
        request.header("Authorization", "Bearer " + System.getenv("PETSTORE_API_KEY"));
        for (int attempt = 0; attempt < 6; attempt++) {
            for (long ms; (ms = closedUntil.get() - now()) > 0; ) Thread.sleep(ms);
            var response = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 429) return response.statusCode() < 300;
            long backoff = Math.round((1000L << attempt) * ThreadLocalRandom.current().nextDouble(0.5, 1));
            long opens = now() + 1 + retryAfterMs(response.headers().firstValue("Retry-After").orElse("")) + backoff;
            closedUntil.accumulateAndGet(opens, Math::max); // After the last attempt, too: the next call has to wait.
        }
        return false;
    }

    static boolean list() throws Exception {
        return send(HttpRequest.newBuilder());
    }

    static boolean create() throws Exception {
        var body = HttpRequest.BodyPublishers.ofString("{\"name\": \"rabbit\"}");
        return send(HttpRequest.newBuilder().header("Content-Type", "application/json").POST(body));
    }

    static int count(String name, String otherwise) {
        return Integer.parseInt(System.getenv().getOrDefault(name, otherwise));
    }

    public static void main(String[] arguments) throws Exception {
        var calls = new ArrayList<Callable<Boolean>>();
        calls.addAll(Collections.nCopies(count("PETSTORE_CALLS", "1"), Client::list));
        calls.addAll(Collections.nCopies(count("PETSTORE_CREATES", "0"), Client::create));
        var tasks = Executors.newFixedThreadPool(count("PETSTORE_CONCURRENCY", "1"));
        var results = tasks.invokeAll(calls);
        tasks.shutdown();
        boolean succeeded = true;
        for (var result : results) succeeded &= result.get();
        System.exit(succeeded ? 0 : 1);
    }
}
